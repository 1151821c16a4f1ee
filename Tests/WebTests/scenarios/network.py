"""The way from a device to the server, which can be cut, lose answers, and lead to a server of another version."""
import socket
import socketserver
import threading

PIECE = 65536


class Way(socketserver.ThreadingTCPServer):
    """Passes each request on, over a connection of its own; what its service worker asks for goes this way as well."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 64

    def __init__(self, port):
        super().__init__(("127.0.0.1", 0), Request)
        self.to = ("127.0.0.1", port)
        self.is_cut = False
        # What is answered without the server, by path; requests whose answers get lost; and the heads of all that came.
        self.answers, self.loses, self.heads = {}, None, []
        self.open = set()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def cut(self):
        self.is_cut = True
        for connection in list(self.open):
            shut(connection)

    def mend(self):
        self.is_cut = False

    def end(self):
        self.cut()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        """A connection that a test has cut is no error."""


class Request(socketserver.BaseRequestHandler):
    def handle(self):
        way, inner = self.server, self.request
        head = b""
        while b"\r\n\r\n" not in head:
            piece = inner.recv(PIECE)
            if not piece:
                return
            head += piece
        if way.is_cut:
            return
        head, _, body = head.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        method, path = lines[0].split()[:2]
        way.heads.append(lines)
        if path in way.answers:
            headers, text, *status = way.answers[path]
            inner.sendall(f"HTTP/1.1 {status[0] if status else '200 OK'}\r\n{headers}Content-Length: {len(text)}\r\nConnection: close\r\n\r\n".encode() + text)
            return
        lines = [line for line in lines if not line.lower().startswith("connection:")] + ["Connection: close"]
        with socket.create_connection(way.to) as outer:
            way.open |= {inner, outer}
            outer.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
            threading.Thread(target=copy, args=(inner, outer), daemon=True).start()
            if way.loses and method == way.loses:
                # The server has done it; nobody learns of that.
                while outer.recv(PIECE):
                    pass
            else:
                copy(outer, inner)
            way.open -= {inner, outer}


def copy(source, target):
    try:
        while piece := source.recv(PIECE):
            target.sendall(piece)
    except OSError:
        pass
    shut(target)


def shut(connection):
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass

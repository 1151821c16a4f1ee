"""Firefox without geckodriver, which Debian does not package: Selenium's commands in Firefox's own protocol, Marionette."""
import json
import socket

from selenium.webdriver.remote.command import Command

# What WebDriver (W3C) calls a command, and what Firefox does: https://firefox-source-docs.mozilla.org/testing/marionette/
NAMES = {
    Command.GET: "Navigate", Command.REFRESH: "Refresh", Command.GO_BACK: "Back", Command.GO_FORWARD: "Forward",
    Command.GET_CURRENT_URL: "GetCurrentURL", Command.GET_TITLE: "GetTitle",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript", Command.SCREENSHOT: "TakeScreenshot",
    Command.CLICK_ELEMENT: "ElementClick", Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys", Command.GET_ELEMENT_RECT: "GetElementRect",
    Command.W3C_ACTIONS: "PerformActions", Command.W3C_CLEAR_ACTIONS: "ReleaseActions",
    Command.GET_ALL_COOKIES: "GetCookies", Command.DELETE_ALL_COOKIES: "DeleteAllCookies",
    Command.SET_WINDOW_RECT: "SetWindowRect", Command.GET_WINDOW_RECT: "GetWindowRect",
    Command.NEW_WINDOW: "NewWindow", Command.SWITCH_TO_WINDOW: "SwitchToWindow", Command.CLOSE: "CloseWindow",
    Command.W3C_GET_CURRENT_WINDOW_HANDLE: "GetWindowHandle", Command.SET_TIMEOUTS: "SetTimeouts",
    Command.QUIT: "DeleteSession",
}


class Marionette:
    """What `webdriver.Remote` gives its commands to."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")
        self.number = 0
        # It introduces itself.
        self.read()

    def read(self):
        size = b""
        while (byte := self.file.read(1)) != b":":
            if not byte:
                raise ConnectionError("Firefox has ended")
            size += byte
        return json.loads(self.file.read(int(size)))

    def ask(self, name, **values):
        """Sends one of Firefox's own commands; returns what it answers, or what it says is wrong, as Selenium takes it."""
        self.number += 1
        text = json.dumps([0, self.number, name, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self.read()
        assert number == self.number
        if error:
            return {"status": error["error"], "value": error}
        return {"value": result["value"] if isinstance(result, dict) and set(result) == {"value"} else result}

    def execute(self, command, params):
        if command == Command.NEW_SESSION:
            return self.ask("WebDriver:NewSession", **params["capabilities"]["alwaysMatch"])
        values = {key: value for key, value in params.items() if key != "sessionId"}
        return self.ask(f"WebDriver:{NAMES[command]}", **values)

    def close(self):
        self.socket.close()

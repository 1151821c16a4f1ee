"""A mail server for tests: aiosmtpd at 127.0.0.1, which delivers nothing.

usage: server.py FOLDER [starttls] [smtps] [auth]

It says "ready PORT", and writes each mail as a line of JSON into FOLDER/mails, taken apart by Python's own reader of mails. With
`starttls` it takes nothing before that, with `smtps` it begins with TLS; its certificate is FOLDER/certificate.pem. With `auth`
it lets in "todo" with the password "pass word". FOLDER/mode says what it does otherwise: "rcpt 451 Later", "data 554 No", or
"hang" to say nothing to a whole mail, or to a goodbye with "hang-quit".
"""
import asyncio
import email
import email.policy
import json
import logging
import os
import ssl
import subprocess
import sys

from aiosmtpd.smtp import SMTP, AuthResult

FOLDER, WORDS = sys.argv[1], sys.argv[2:]
logging.getLogger("mail.log").setLevel(logging.CRITICAL)


def path(name):
    return os.path.join(FOLDER, name)


def mode():
    try:
        with open(path("mode"), encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def refusal(command):
    word, _, answer = mode().partition(" ")
    return answer if word == command else None


class Mailbox:
    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = refusal("rcpt")
        if not answer:
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if mode() == "hang":
            await asyncio.sleep(3600)
        if refusal("data"):
            return refusal("data")
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        line = {
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "isTLS": session.ssl is not None or "smtps" in WORDS,
            "user": (session.auth_data or b"").decode(), "name": session.host_name,
            "headers": [[name, str(value)] for name, value in mail.items()],
            "text": mail.get_content().replace("\r\n", "\n"), "raw": envelope.content.decode("ascii"),
        }
        with open(path("mails"), "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return "250 2.0.0 queued as 1"

    async def handle_QUIT(self, server, session, envelope):
        if mode() == "hang-quit":
            await asyncio.sleep(3600)
        return "221 Bye"


def authenticate(server, session, envelope, mechanism, data):
    isRight = (data.login, data.password) == (b"todo", b"pass word")
    return AuthResult(success=isRight, auth_data=data.login, handled=False)


def context():
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=mailbox",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path("key.pem"), "-out", path("certificate.pem")],
        check=True, capture_output=True)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(path("certificate.pem"), path("key.pem"))
    return made


async def main():
    tls = context() if {"starttls", "smtps"} & set(WORDS) else None
    options = {"authenticator": authenticate, "auth_required": True, "auth_require_tls": tls is not None} if "auth" in WORDS else {}
    if "starttls" in WORDS:
        options |= {"tls_context": tls, "require_starttls": True}
    if "smtps" in WORDS:
        options["auth_require_tls"] = False

    def connection():
        return SMTP(Mailbox(), hostname="mailbox", **options)

    server = await asyncio.get_running_loop().create_server(
        connection, "127.0.0.1", 0, ssl=tls if "smtps" in WORDS else None)
    print("ready", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())

"""Who signs in by an OpenID provider: a real one, at another site."""
import json
import os
import socket
import tempfile
import urllib.request

from selenium.webdriver.common.keys import Keys

import appearance
from device import KEPT
from waiting import expect, until
from world import Process, Scenario, main

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "provider", "server.py")


def free_port(address):
    with socket.socket() as listener:
        listener.bind((address, 0))
        return listener.getsockname()[1]


class Providers(Scenario):
    def setUp(self):
        self.port, self.provider_port = free_port("127.0.0.1"), free_port("127.0.0.2")
        self.provider = f"http://127.0.0.2:{self.provider_port}"
        self.arrange("create")
        super().setUp()

    def arrange(self, accounts):
        """Starts the provider, and describes it to the workers."""
        folder = tempfile.TemporaryDirectory(prefix="todomate-provider-")
        self.addCleanup(folder.cleanup)
        callback = f"http://127.0.0.1:{self.port}/v1/providers/acme/callback"
        log = f"{folder.name}/log"
        server = Process(
            ["/usr/bin/python3", "-B", SERVER, folder.name, str(self.provider_port), callback], log)
        self.addCleanup(server.stop)
        server.start()
        until("the provider answers", lambda: "ready" in server.said())
        with open(f"{folder.name}/secret", "w", encoding="utf-8") as file:
            file.write("client-secret\n")
        with open(f"{folder.name}/providers.json", "w", encoding="utf-8") as file:
            json.dump({"providers": [{
                "id": "acme", "name": "Acme", "issuer": f"{self.provider}/o", "clientID": "todomate",
                "clientSecretFile": "secret", "accounts": accounts, "scopes": ["profile", "email"]}]}, file)
        self.options = (
            "--providers-file", f"{folder.name}/providers.json", "--public-url", f"http://127.0.0.1:{self.port}")

    def at_provider(self, board, name):
        """Signs in there, where the board was sent."""
        until("the provider asks who it is", lambda: board.driver.current_url.startswith(f"{self.provider}/login"))
        board.find("#username").type(name)
        board.find("#password").type("provider-pw", Keys.ENTER)

    def test_from_the_first_sign_in_to_signing_out(self):
        board = self.board()
        board.door()
        board.find(".providers a").reads("Sign in with Acme")
        board.find(".providers a").click()
        self.at_provider(board, "bob")
        board.find("#join-title").reads("Choose a name")
        board.find("#join-hint").tells("Acme knows you")
        board.find("#join-user").holds("bob")
        board.find("#join-password").is_gone()
        board.retype(board.find("#join-user"), "alice", Keys.ENTER)
        board.find("#join-error").tells("alice is taken")
        board.retype(board.find("#join-user"), "bobby", Keys.ENTER)
        board.live()
        board.find("#who").reads("bobby")
        self.assertNotIn("arrive", board.driver.current_url)
        board.add("by a provider")
        expect(["by a provider"], lambda: self.redis.contents(uid="bobby"), "what Redis holds")

        # The provider knows another key by now, and bob still.
        urllib.request.urlopen(f"{self.provider}/rotate", data=b"").close()
        board.open_account()
        board.find("#leave").click()
        until("the provider says goodbye, and sends back", lambda: board.count("#door:not([hidden])") == 1)
        board.door()
        board.find(".providers a").click()
        until("signed in at once", lambda: board.count("#board:not([hidden])") == 1)
        board.live()
        board.find("#who").reads("bobby")

    def test_leaves_nothing_behind_where_the_provider_sends_nobody_back(self):
        board = self.board()
        board.door()
        board.find(".providers a").click()
        self.at_provider(board, "bob")
        board.retype(board.find("#join-user"), "bobby", Keys.ENTER)
        board.live()
        board.add("for me alone")
        until("the device keeps it", lambda: "for me alone" in json.dumps(board.run(KEPT)))
        # This provider has no page to sign out at; others are named by the answer.
        board.run(FAREWELL, f"{self.provider}/login")
        board.open_account()
        board.find("#leave").click()
        until("the way leads to the provider", lambda: board.driver.current_url.startswith(f"{self.provider}/login"))
        # A page of the same origin without any script of the board's.
        board.driver.get(f"{board.url}openapi.json")
        self.assertNotIn("for me alone", json.dumps(board.run(KEPT)))
        board.new_errors()

    def test_whoever_came_by_a_provider_sets_a_password_there_and_needs_no_operator(self):
        board = self.board()
        board.door()
        board.find(".providers a").click()
        self.at_provider(board, "bob")
        board.retype(board.find("#join-user"), "bobby", Keys.ENTER)
        board.live()

        def open_section(name):
            board.open_account()
            board.find("#my-account").click()
            board.find(f".setting.{name} summary").click()

        for hint, password in (("Nobody has chosen a password", "chosen at last"), ("Forgotten the password?", "another one")):
            open_section("identities")
            board.find(".setting.identities").tells(hint)
            # He has just signed in there.
            board.find("#set-by-provider").click()
            board.retype(board.find("#join-password"), password, Keys.ENTER)
            board.live()
        open_section("deletion")
        board.find("#ask-deletion").click()
        board.retype(board.find("#deletion-password"), "another one", Keys.ENTER)
        board.find("#confirm-deletion").click()
        board.find("#farewell-title").reads("Your account will be deleted")

    def test_links_an_account_that_is_there(self):
        board = self.signed_in()
        # By now a service worker sees where the browser goes; the way back is good once.
        until("the service worker is there", lambda: board.run("return navigator.serviceWorker.controller !== null"))
        board.open_account()
        board.find("#my-account").click()
        board.find(".setting.identities summary").click()
        board.find("#link-password").type("wrong")
        board.find(".setting.identities .fields .fields .quiet").click()
        board.find("#identities-error").tells("password is wrong")
        board.new_errors()
        board.retype(board.find("#link-password"), "correct horse")
        board.find(".setting.identities .fields .fields .quiet").click()
        self.at_provider(board, "carol")
        board.toast("From now on you can sign in with Acme")
        board.live()
        board.open_account()
        board.find("#my-account").click()
        board.find(".setting.identities summary").click()
        board.find(".setting.identities .entry").tells("carol@provider.example")
        self.assertEqual([], board.run(appearance.SMALL_TARGETS))

    def test_says_in_korean_on_a_phone_what_went_wrong(self):
        board = self.board(languages="ko-KR,ko")
        board.emulate_size(360, 640)
        board.door()
        board.find(".providers a").reads("Acme 계정으로 로그인")
        board.driver.get(f"{board.url}v1/providers/acme/callback?state=guessed&code=c0de")
        board.toast("다른 창에서 시작했습니다")
        self.assertFalse(board.run(appearance.WIDER_THAN_WINDOW))


# The answer to signing out, as from a provider that has a page for it.
FAREWELL = """
const [location] = arguments;
const real = fetch;
globalThis.fetch = async (path, options) => {
  const answer = await real(path, options);
  return path === '/v1/session' && options?.method === 'DELETE' ? Response.json({ location }) : answer;
};
"""


if __name__ == "__main__":
    main()

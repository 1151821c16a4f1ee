"""An OpenID provider for tests: Django OAuth Toolkit, with two people and one client.

usage: server.py FOLDER PORT CALLBACK [CLIENT-ID]

It is at 127.0.0.2, another site than 127.0.0.1 to a browser. People sign in at /login as alice, bob or carol with the password
"provider-pw"; POST /rotate has tokens signed with another key from then on. The client's secret is "client-secret".
"""

import os
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from jwcrypto import jwk

FOLDER, PORT, CALLBACK = sys.argv[1], int(sys.argv[2]), sys.argv[3]
CLIENT = sys.argv[4] if len(sys.argv) > 4 else "todomate"
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"


def new_key():
    return jwk.JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None).decode()


settings.configure(
    SECRET_KEY=os.urandom(16).hex(),
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(FOLDER, f"provider-{PORT}.db")}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
    SESSION_COOKIE_NAME=f"provider_{PORT}",
    LOGIN_URL="/login",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": new_key(),
        "OIDC_ISS_ENDPOINT": f"http://127.0.0.2:{PORT}/o",
        "OAUTH2_VALIDATOR_CLASS": f"{__name__}.Validator",
        "PKCE_REQUIRED": True,
        "SCOPES": {"openid": "", "profile": "", "email": ""},
    },
)
django.setup()

from django.contrib.auth import authenticate, get_user_model, login, logout  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse, HttpResponseRedirect  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils.html import escape  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402
from oauth2_provider.views import ConnectDiscoveryInfoView  # noqa: E402
from oauth2_provider.settings import oauth2_settings  # noqa: E402


class Validator(OAuth2Validator):
    def get_additional_claims(self, request):
        name = request.user.username
        groups = ["todo", "staff"] if name == "alice" else ["guests"]
        return {"preferred_username": name, "email": f"{name}@provider.example", "groups": groups}


FORM = """<!doctype html><title>Provider</title><form method="post">
<input type="hidden" name="next" value="{next}"><input name="username" id="username"><input name="password" type="password" id="password">
<button id="submit">Sign in</button></form>"""


@csrf_exempt
def login_view(request):
    if request.method == "POST":
        user = authenticate(request, username=request.POST["username"], password=request.POST["password"])
        if user is None:
            return HttpResponse("wrong", status=403)
        login(request, user)
        return HttpResponseRedirect(request.POST["next"])
    return HttpResponse(FORM.replace("{next}", escape(request.GET.get("next", "/"))))


@csrf_exempt
def rotate(request):
    before = settings.OAUTH2_PROVIDER["OIDC_RSA_PRIVATE_KEY"]
    settings.OAUTH2_PROVIDER.update(OIDC_RSA_PRIVATE_KEY=new_key(), OIDC_RSA_PRIVATE_KEYS_INACTIVE=[before])
    oauth2_settings.reload()
    return HttpResponse("rotated")


def sign_out(request):
    logout(request)
    return HttpResponseRedirect(request.GET.get("post_logout_redirect_uri", "/login"))


urlpatterns = [
    # As the standard has it; this version serves it with a slash at the end alone.
    path("o/.well-known/openid-configuration", ConnectDiscoveryInfoView.as_view()),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("login", login_view),
    path("rotate", rotate),
    path("logout", sign_out),
]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Threaded(ThreadingMixIn, WSGIServer):
    daemon_threads = True


def main():
    call_command("migrate", verbosity=0)
    for name in ["alice", "bob", "carol"]:
        get_user_model().objects.create_user(name, password="provider-pw")
    model = get_application_model()
    model.objects.create(
        name="TodoMate", client_id=CLIENT, client_secret="client-secret", client_type=model.CLIENT_CONFIDENTIAL,
        authorization_grant_type=model.GRANT_AUTHORIZATION_CODE, redirect_uris=CALLBACK, skip_authorization=True,
        algorithm=model.RS256_ALGORITHM)
    server = make_server("127.0.0.2", PORT, get_wsgi_application(), server_class=Threaded, handler_class=Quiet)
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

"""A small runtime (docs/write-a-runtime.md) in Python's standard library: it echoes, and "use crm__find {…}" calls a tool."""

import hmac
import json
import os
import re
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib import error, request

env = os.environ
BASE = f"{env['CONTROL_PLANE_URL']}/internal/v1/instances/{env['INSTANCE_ID']}"
keys = {"proxy_key": env["PROXY_KEY"]}  # it rotates


def post(path, body, message):
    headers = {"Authorization": f"Bearer {keys['proxy_key']}", "Content-Type": "application/json"}
    if message.get("sender_token"):  # tells who asks, and which message a call is for
        headers["X-Sender-Token"] = message["sender_token"]
    call = request.Request(BASE + path, json.dumps(body).encode(), headers)
    with request.urlopen(call, timeout=14) as response:
        return json.load(response)


def use(message, tool, arguments):
    """Calls a tool of the agent's servers. By the sender's token it is made once for a message, however often that comes."""
    params = {"name": tool, "arguments": arguments}
    answer = post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, message)
    if "error" in answer:
        return answer["error"]["message"]
    texts = [block["text"] for block in answer["result"]["content"] if block["type"] == "text"]
    return "\n".join(texts) or "Done."


def words_for(message):
    tool = re.fullmatch(r"use (\S+) (\{.*\})", message["text"], re.DOTALL)
    try:
        return use(message, tool[1], json.loads(tool[2])) if tool else f"You wrote: {message['text']}"
    except json.JSONDecodeError:
        return "The arguments are not JSON."


def take(message):
    """Answers through the control plane. A copy of a message needs no memory: the first answer to it stands."""
    if message["text"] is None:  # a reaction, a picture, a notice of the channel: nothing to echo
        return 200
    path = f"/conversations/{message['conversation_id']}/messages"
    try:
        post(path, {"text": words_for(message), "in_reply_to": message["message_id"]}, message)
    except error.HTTPError as refusal:  # 409: a person has the conversation; 404: it was deleted
        return 200 if refusal.code in (404, 409) else 502
    except OSError:  # another copy should come
        return 502
    return 200


class Handler(BaseHTTPRequestHandler):
    timeout = 2  # seconds; an idle connection must not hold up the end

    def answer(self):
        route = f"{self.command} {self.path}"
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        given, secret = self.headers.get("Authorization", ""), f"Bearer {env['MESSAGE_SECRET']}"
        if route != "GET /health" and not hmac.compare_digest(given.encode(), secret.encode()):
            return 401
        if route == "PUT /secrets":
            keys["proxy_key"] = json.loads(body).get("proxy_key") or keys["proxy_key"]
        return take(json.loads(body)) if route == "POST /messages" else 200

    def do_GET(self):
        self.send_response(self.answer())
        self.end_headers()
        self.wfile.write(json.dumps({"instance_id": env["INSTANCE_ID"]}).encode())

    do_POST = do_PUT = do_GET


server = ThreadingHTTPServer((env["HOST"], int(env["PORT"])), Handler)
server.daemon_threads = False  # the requests in flight are finished
signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
server.serve_forever()
server.server_close()

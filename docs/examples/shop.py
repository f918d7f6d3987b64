"""Sells, renews and refunds keys for a shop, with Python 3.8 or newer:
LATCHKEY=https://keys.example.com SHOP_KEY=lk_... python3 shop.py sell INV-2025-0042
"""
import json, os, sys, time, urllib.error, urllib.request


def call(path, **body):
    """Without a response, sends the same call again, for a minute. An externalId is never charged twice."""
    headers = {"Authorization": "Bearer " + os.environ["SHOP_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(
        os.environ["LATCHKEY"] + "/api/reseller/" + path, json.dumps(body).encode(), headers)
    end = time.monotonic() + 60
    while True:
        status, wait, text = 0, 1, "There was no response."
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            status, wait, text = error.code, int(error.headers.get("Retry-After", 1)), error.read().decode()
        except OSError:
            pass
        # Past the minute, keep the call and send it later.
        if (0 < status < 500 and status != 429) or time.monotonic() + wait > end:
            return status, text
        time.sleep(wait)


verbs = {
    # Deliver keys[0].keyString, and keep keys[0].id for renewals and refunds.
    "sell": lambda invoice, _: call("keys/generate", game="PUBG MOBILE", deviceLimit=1, days=30, starts="first_use",
                                    count=1, externalId=invoice),
    "renew": lambda invoice, id: call(f"keys/{id}/extend", days=30, externalId=invoice),
    # A 409 KEY_ALREADY_REVOKED means that it is done.
    "refund": lambda _, id: call(f"keys/{id}/revoke"),
}
verb, invoice, id = (sys.argv[1:] + [""])[:3]
status, text = verbs[verb](invoice, id)
print(text)
sys.exit(0 if 200 <= status < 300 else 1)

"""Verifies messages as the text of Standard Webhooks 1.0 says, with Python's own library.

Reads a list of {"secret", "headers", "body"} in JSON, and prints for each whether it is accepted.
"""

import base64
import hashlib
import hmac
import json
import sys
import time

TOLERANCE = 5 * 60


def accepts(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    identifier, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{identifier}.{timestamp}.{body}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    for each in headers["webhook-signature"].split(" "):
        version, _, signature = each.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return True
    return False


json.dump([accepts(**each) for each in json.load(sys.stdin)], sys.stdout)

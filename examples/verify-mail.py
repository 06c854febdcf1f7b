#!/usr/bin/env python3
"""Verifies a mail about access reviews, and that the evidence of a review has the head in it, without Grantgraph:
python3 verify-mail.py mail.eml evidence.zip [public key]

The public key is in each mail and in the log of the service. Take it from where nobody changes it: from an older mail,
or from who runs the service. Without it the script uses the key of the mail, and says so.
"""
import base64
import email
import email.policy
import hashlib
import importlib.util
import json
import pathlib
import sys
import zipfile

BEGIN, END = "-----BEGIN GRANTGRAPH HEADS-----", "-----END GRANTGRAPH HEADS-----"
# Ed25519 (RFC 8032): x² and y² are of the curve -x² + y² = 1 + Dx²y², modulo P; L is the order of the point B.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)


def add(one, other):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b, c, d = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P, 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = (0, 1, 1, 0)
    while number > 0:
        result, point, number = add(result, point) if number & 1 else result, add(point, point), number >> 1
    return result


def point_of(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if y >= P or x * x % P != square or (x == 0 and sign):
        raise ValueError("is no point")
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


B = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    if len(key) != 32 or len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
        return False
    try:
        public, begin = point_of(key), point_of(signature[:32])
    except ValueError:
        return False
    number = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    (x1, y1, z1, _), (x2, y2, z2, _) = times(int.from_bytes(signature[32:], "little"), B), add(begin, times(number, public))
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


def signed_part(data):
    """The words between the last BEGIN and the END after it: names of reviews come before them."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    body = message.get_body(("plain",)) if message.keys() else None
    text = body.get_content() if body else data.decode()
    begin = text.rindex(BEGIN) + len(BEGIN)
    words = text[begin:text.index(END, begin)].split()
    place = words.index("signature")
    return words[:place], base64.b64decode("".join(words[place + 1:]))


def script_of_evidence():
    spec = importlib.util.spec_from_file_location("verify_review", pathlib.Path(__file__).with_name("verify-review.py"))
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def verify(data, archive, known_key):
    words, signature = signed_part(data)
    if words[:3] != ["grantgraph", "heads", "1"] or words[3] != "at" or words[-2] != "key":
        return ["the signed part has another form"]
    key = base64.b64decode(words[-1] if known_key is None else known_key)
    print(f"signed at {words[4]} with the key {words[-1]}{' of the mail itself' if known_key is None else ''}")
    findings = []
    if base64.b64decode(words[-1]) != key or not is_signed(key, " ".join(words).encode(), signature):
        findings.append("the signature is not of this key, or somebody changed the signed part")
    told, script = json.loads(archive.read("review.json")), script_of_evidence()
    review = told["review"]["id"]
    heads = [words[at:at + 6] for at in range(5, len(words) - 2, 6)]
    said = [(int(each[3]), each[5]) for each in heads if each[::2] == ["review", "entry", "head"] and each[1] == review]
    entries = [json.loads(line) for line in archive.read("decisions.jsonl").decode().split("\n") if line]
    chain = {entry["seq"]: entry["hash"] for entry in entries}
    chain[0] = script.digest(review, told["settings_digest"], told["review"]["digest"])
    if not said:
        findings.append("the mail is not about this review")
    for number, head in said:
        is_same = chain.get(number) == head
        print(f"entry {number}: {head}{' is in the chain' if is_same else ''}")
        findings += [] if is_same else [f"the chain has no entry {number} with the head of the mail"]
    return findings + script.verify(archive, None)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        found = verify(file.read(), zipfile.ZipFile(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
    print("\n".join(found) or "verified")
    sys.exit(1 if found else 0)

"""
Latchkey SDK for Python 3.9 and newer. One file. MIT license.

    # pins: [{"kid", "publicKey"}], active and next of /.well-known/latchkey-keys.
    client = latchkey.open(addresses=["https://keys.example"], game="PUBG MOBILE", pins=PINS,
                           store=latchkey.FileStore("save"))

    # At the start, and every minute while playing.
    def play(key):
        verdict = client.check(key)
        if verdict.state in ("PLAY", "PLAY_OFFLINE"):
            run(is_offline=verdict.state == "PLAY_OFFLINE" and verdict.code != "NOT_ASKED")
        elif verdict.state == "REFUSED":
            stop(verdict.message)  # says why; with UPDATE_REQUIRED, show the update too
            # With DEVICE_LIMIT_REACHED: client.release(ref) of the player's choice, then play(key).
            if verdict.release and verdict.release["isAllowed"]:
                offer(verdict.release["devices"])
        else:
            stop(verdict.message or "The server cannot be reached.", button="Try again")

Python has no Ed25519, so this needs `cryptography`, which the Python Cryptographic Authority maintains:
pip install cryptography (Debian: python3-cryptography).

The device id is made of MachineGuid on Windows, and elsewhere of a random id in your store. A game that is out keeps
its ids: `open` prefers a source that it finds in the store.
"""

import base64
import hashlib
import http.client
import json
import os
import random
import re
import secrets
import threading
import time
import urllib.parse
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

VERSION = "1.0.0"

SECONDS_TO_CONNECT = 4
SECONDS_TO_RESPOND = 6
SECONDS_FOR_ALL_ADDRESSES = 10
SECONDS_TO_WAIT_MAX = 60
SECONDS_BETWEEN_REFRESHES = 60
# How far the clock may be behind or past the lease.
SECONDS_OF_TOLERANCE = 300

PROOFS_ITEM = "latchkey.proofs"
SOURCE_ITEM = "latchkey.device"

# The code of PLAY_OFFLINE before a first attempt has ended.
NOT_ASKED = "NOT_ASKED"


@dataclass
class Verdict:
    # PLAY: the last attempt brought a valid proof. PLAY_OFFLINE: a stored proof still counts. REFUSED: the server
    # refuses the key, and has signed that. UNKNOWN: none of these; let the player try again.
    state: str
    # None where no server has responded. With PLAY_OFFLINE, the code of the last attempt, or NOT_ASKED until the first
    # for this key since `open` has ended: do not show "offline" before.
    code: Optional[str]
    # May be shown to the player.
    message: Optional[str]
    # The end of the key, in Unix seconds.
    until: Optional[int]
    # Which devices the player may release, where the key has no free slot:
    # {"isAllowed", "allowedAt", "devices": [{"ref", "name", "firstConnected", "lastSeen"}]}
    release: Optional[Dict[str, Any]]


@dataclass
class Released:
    isReleased: bool
    code: Optional[str]
    message: Optional[str]
    # When the player may release the next device.
    allowedAt: Optional[str]


@dataclass
class Response:
    # 0 where there is no response.
    status: int
    body: str
    # The header Retry-After, in seconds.
    retry_after: Optional[int]


class FileStore:
    """
    Keeps each text in a file of a folder. Any object with these three methods is a store. What it raises is ignored, so
    a full disk does not end the game.
    """

    def __init__(self, folder: str):
        self.folder = folder

    def get(self, name: str) -> Optional[str]:
        try:
            with open_file(os.path.join(self.folder, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def set(self, name: str, text: str) -> None:
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, name)
        with open_file(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)

    def remove(self, name: str) -> None:
        try:
            os.remove(os.path.join(self.folder, name))
        except FileNotFoundError:
            pass


class System:
    """What the SDK needs of its platform. Tests replace it."""

    def send(self, url: str, body: str, seconds: float) -> Response:
        """POSTs JSON, follows no redirect, and returns status 0 where there is no response in time."""
        result = [Response(0, "", None)]

        def post() -> None:
            try:
                result[0] = _post(url, body, seconds)
            except (OSError, http.client.HTTPException, ValueError):
                pass

        # In a thread, because neither a name server nor a server that sends a byte a second has a time limit otherwise.
        thread = threading.Thread(target=post, daemon=True)
        thread.start()
        thread.join(seconds)
        return result[0]

    def now(self) -> float:
        """The clock, in Unix seconds."""
        return time.time()

    def uptime(self) -> float:
        """Seconds since any fixed point, whatever happens to the clock."""
        return time.monotonic()

    def random(self) -> float:
        """From 0 up to but not including 1."""
        return random.random()

    def random_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)

    def background(self, task: Callable[[], None]) -> None:
        """Runs a task without waiting for it."""
        threading.Thread(target=task, daemon=True).start()


# The function `open` below takes this name.
open_file = open


def open(
    *,
    addresses: List[str],
    game: str,
    pins: List[Dict[str, str]],
    store: Any,
    device_id: Optional[str] = None,
    device_name: Optional[str] = None,
    version: Optional[str] = None,
    lang: Optional[str] = None,
    system: Optional[System] = None,
) -> "Latchkey":
    """
    Raises ValueError where the pins or the device id are unusable.

    addresses: such as https://keys.example; they are tried in this order.
    game: never change it, not even when the game is renamed: device ids and stored proofs depend on it.
    pins: [{"kid", "publicKey"}], the signing keys that were active and next when this build was made.
    store: see FileStore.
    device_id: made with make_device_id(game, source). Left out, it is made of Windows' MachineGuid or of a stored
        random id. A source that is already stored stays in use, so that a build that begins to pass one takes no second
        slot.
    version: the version of the game. lang: the language of messages, such as pt-BR.
    """
    system = system or System()
    for pin in pins:
        if len(_from_base64url(pin["publicKey"]) or b"") != 32:
            raise ValueError(f"The public key {pin['kid']} is not 32 bytes of base64url.")
    device_id = _device_id_in_use(game, device_id, store, system)
    if _is_placeholder(device_id):
        raise ValueError("This device id is a placeholder that many devices share.")
    fields = {"game": game, "deviceId": device_id, "deviceName": device_name, "version": version, "lang": lang}
    return Latchkey(addresses, pins, store, fields, system)


def make_device_id(game: str, source: str) -> str:
    """A device id from what the platform knows a device by, which is not sent. Raises ValueError for a placeholder."""
    if _is_placeholder(source):
        raise ValueError("This source of a device id is a placeholder that many devices share.")
    return "d1." + _to_base64url(_sha512(f"latchkey-device\n{game}\n{source}")[:16])


@dataclass
class _Attempt:
    """When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code."""

    at: float
    is_proven: bool = False
    code: Optional[str] = NOT_ASKED


@dataclass
class _Wait:
    """Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why."""

    failures: int = 0
    until: float = 0.0
    code: Optional[str] = None
    message: Optional[str] = None


class Latchkey:
    """May be used by several threads."""

    def __init__(self, addresses: List[str], pins: List[Dict[str, str]], store: Any, fields: Dict[str, Optional[str]],
                 system: System):
        self._addresses = addresses
        self._pins = pins
        self._store = store
        self._fields = fields
        self._system = system
        self._lock = threading.RLock()
        self._key: Optional[str] = None
        # The stored proofs and the highest time seen with each, by bind.
        self._proofs = _read_proofs(_tried(lambda: store.get(PROOFS_ITEM)))
        # By bind.
        self._attempts: Dict[str, _Attempt] = {}
        # After no response: for every key.
        self._outage = _Wait()
        # After a 4xx: for the key that was asked, by bind.
        self._refusals: Dict[str, _Wait] = {}

    @property
    def device_id(self) -> str:
        return self._fields["deviceId"]

    def check(self, key: str) -> Verdict:
        """Whether the key is good on this device. During a lease this needs no network and returns at once."""
        system = self._system
        bind = bind_of(self._fields["game"], key, self.device_id)
        with self._lock:
            self._key = key
            self._note_time()
            stored = self._stored_proof(bind)
            attempt = self._attempts.get(bind)
            waits = [self._refusals.get(bind), self._outage]
            wait = next((each for each in waits if each and system.uptime() < each.until), None)
            if stored and system.now() <= stored["exp"]:
                if not wait and (not attempt or system.uptime() - attempt.at >= SECONDS_BETWEEN_REFRESHES):
                    self._begin(bind)
                    system.background(lambda: self._attempt(key, bind))
                return _verdict("PLAY", stored) if attempt and attempt.is_proven else _offline(stored, attempt)
            if wait:
                return self._without_proof(wait, stored, attempt)
        return self._attempt(key, bind)

    def release(self, ref: str) -> Released:
        """Frees the slot of a device that the last check listed in `release`. Check again afterwards."""
        if self._key is None:
            raise RuntimeError("Check a key before you release one of its devices.")
        fields = {"key": self._key, "game": self._fields["game"], "ref": ref, "lang": self._fields["lang"]}
        answer, last, _ = self._post("/api/verify/release", fields, _is_final)
        said = _fields_of(last)
        is_released = answer is not None and answer.status == 200
        code = None if is_released else _text(said.get("code"))
        return Released(is_released, code, _text(said.get("message")), _text(said.get("allowedAt")))

    def forget(self) -> None:
        """Removes all proofs, for a player who signs out. The device id stays."""
        with self._lock:
            self._key = None
            self._attempts.clear()
            self._proofs.clear()
            self._save()

    def _begin(self, bind: str) -> _Attempt:
        attempt = replace(self._attempts.get(bind, _Attempt(0)), at=self._system.uptime())
        self._attempts[bind] = attempt
        return attempt

    def _attempt(self, key: str, bind: str) -> Verdict:
        """Asks the server."""
        system = self._system
        with self._lock:
            attempt = self._begin(bind)
        nonce = _to_base64url(system.random_bytes(16))
        payload: Optional[Dict[str, Any]] = None

        def is_answer(response: Response) -> bool:
            nonlocal payload
            if response.status != 200:
                return _is_final(response)
            payload = read_proof(self._pins, _fields_of(response).get("proof"), bind, nonce)
            return payload is not None

        answer, last, retry_after = self._post("/api/verify", {**self._fields, "key": key, "nonce": nonce}, is_answer)
        with self._lock:
            attempt.is_proven = False
            if answer and payload:
                return self._accept(answer, payload, attempt)

            said = _fields_of(last) if last and last.status >= 400 else {}
            attempt.code = _text(said.get("code"))
            wait = self._refusals.setdefault(bind, _Wait()) if answer else self._outage
            wait.failures += 1
            longest = min(SECONDS_TO_WAIT_MAX, 2 ** min(wait.failures - 1, 10))
            wait.until = system.uptime() + (system.random() * longest if retry_after is None else retry_after)
            wait.code = attempt.code
            wait.message = _text(said.get("message"))
            return self._without_proof(wait, self._stored_proof(bind), attempt)

    def _accept(self, answer: Response, payload: Dict[str, Any], attempt: _Attempt) -> Verdict:
        bind, valid = payload["bind"], payload["valid"]
        said = _fields_of(answer)
        self._outage = _Wait()
        self._refusals.pop(bind, None)
        attempt.is_proven = valid
        attempt.code = payload["code"]
        # A player who has signed out meanwhile has no attempt any more.
        if self._attempts.get(bind) is attempt:
            if not valid:
                self._proofs.pop(bind, None)
            elif payload["exp"] is not None:
                self._proofs[bind] = (said["proof"], payload["iat"])
            self._save()
        verdict = _verdict("PLAY" if valid else "REFUSED", payload)
        verdict.message = _text(said.get("message"))
        verdict.release = said.get("release")
        return verdict

    def _without_proof(self, wait: _Wait, stored: Optional[Dict[str, Any]], attempt: Optional[_Attempt]) -> Verdict:
        if wait is self._outage and stored:
            return _offline(stored, attempt)
        return Verdict("UNKNOWN", wait.code, wait.message, None, None)

    def _post(self, path: str, fields: Dict[str, Optional[str]], is_answer: Callable[[Response], bool]):
        """Tries the addresses until one returns an answer. Returns that, the last response and Retry-After."""
        system = self._system
        body = json.dumps({name: value for name, value in fields.items() if value is not None})
        end = system.uptime() + SECONDS_FOR_ALL_ADDRESSES
        last: Optional[Response] = None
        retry_after: Optional[int] = None
        for address in self._addresses:
            left = end - system.uptime()
            if left <= 0:
                break
            last = system.send(address.rstrip("/") + path, body, left)
            if is_answer(last):
                return last, last, last.retry_after
            if last.retry_after is not None:
                retry_after = max(retry_after or 0, last.retry_after)
        return None, last, retry_after

    def _stored_proof(self, bind: str) -> Optional[Dict[str, Any]]:
        """The stored proof of a bind, if it counts now."""
        if bind not in self._proofs:
            return None
        proof, seen = self._proofs[bind]
        payload = read_proof(self._pins, proof, bind, None)
        if not payload or not payload["valid"] or payload["exp"] is None:
            return None
        now = self._system.now()
        counts = now <= payload["exp"] + SECONDS_OF_TOLERANCE and now >= seen - SECONDS_OF_TOLERANCE
        return payload if counts else None

    def _note_time(self) -> None:
        """Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease."""
        now = int(self._system.now())
        behind = [bind for bind, (_, seen) in self._proofs.items() if seen < now]
        for bind in behind:
            self._proofs[bind] = (self._proofs[bind][0], now)
        if behind:
            self._save()

    def _save(self) -> None:
        lines = [f"{bind} {seen} {proof}" for bind, (proof, seen) in self._proofs.items()]
        # A full disk can still remove.
        _tried(lambda: self._store.set(PROOFS_ITEM, "\n".join(lines)) if lines else self._store.remove(PROOFS_ITEM))


def bind_of(game: str, key: str, device_id: str) -> str:
    """What ties a proof to a game, key and device, as they are sent."""
    plain_key = re.sub("[a-z]", lambda letter: letter[0].upper(), key.strip(" \t\r\n"))
    return _to_base64url(_sha512(f"lk1\n{game}\n{plain_key}\n{device_id}")[:32])


def read_proof(pins: List[Dict[str, str]], proof: Any, bind: str, nonce: Optional[str]) -> Optional[Dict[str, Any]]:
    """
    The payload of a proof, or None if it was not signed by a pinned key or is about another bind or nonce. The
    signature comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
    """
    parts = proof.split(".") if isinstance(proof, str) else []
    if len(parts) != 4 or parts[0] != "lk1":
        return None
    _, kid, content, signed = parts
    public_key = next((_from_base64url(pin["publicKey"]) for pin in pins if pin["kid"] == kid), None)
    payload_bytes, signature = _from_base64url(content), _from_base64url(signed)
    if public_key is None or payload_bytes is None or signature is None or len(signature) != 64:
        return None
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, f"lk1.{kid}.{content}".encode())
    except InvalidSignature:
        return None

    payload = _parse(payload_bytes)
    is_whole = (
        isinstance(payload, dict)
        and isinstance(payload.get("valid"), bool)
        and isinstance(payload.get("code"), str)
        and type(payload.get("iat")) is int
        and _is_time(payload, "exp")
        and _is_time(payload, "until")
    )
    if not is_whole or payload.get("bind") != bind or (nonce is not None and payload.get("n") != nonce):
        return None
    return payload


def _is_time(payload: Dict[str, Any], name: str) -> bool:
    return name in payload and (payload[name] is None or type(payload[name]) is int)


def _read_proofs(text: Optional[str]) -> Dict[str, Tuple[str, int]]:
    """Reads what `_save` wrote: a line for each proof."""
    lines = re.findall(r"^(\S+) (\d{1,15}) (\S+)$", text or "", re.MULTILINE | re.ASCII)
    return {bind: (proof, int(seen)) for bind, seen, proof in lines}


def _verdict(state: str, payload: Dict[str, Any]) -> Verdict:
    return Verdict(state, payload["code"], None, payload["until"], None)


def _offline(payload: Dict[str, Any], attempt: Optional[_Attempt]) -> Verdict:
    return Verdict("PLAY_OFFLINE", attempt.code if attempt else NOT_ASKED, None, payload["until"], None)


def _tried(call: Callable[[], Any]) -> Any:
    """A call to the store, which may raise. None if it does."""
    try:
        return call()
    except Exception:
        return None


def _is_final(response: Response) -> bool:
    """
    A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy that
    blocks the address, is as good as none.
    """
    said = _fields_of(response)
    if response.status == 200:
        return isinstance(said.get("message"), str)
    return 400 <= response.status < 500 and isinstance(said.get("code"), str)


def _fields_of(response: Optional[Response]) -> Dict[str, Any]:
    body = _parse(response.body) if response else None
    return body if isinstance(body, dict) else {}


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _parse(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _post(url: str, body: str, seconds: float) -> Response:
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=min(SECONDS_TO_CONNECT, seconds))
    try:
        connection.connect()
        connection.sock.settimeout(min(SECONDS_TO_RESPOND, seconds))
        connection.request("POST", parts.path, body.encode(), {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read(1_000_000).decode("utf-8", "replace")
        wait = response.getheader("Retry-After") or ""
        return Response(response.status, text, int(wait) if re.fullmatch("[0-9]{1,9}", wait) else None)
    finally:
        connection.close()


PLACEHOLDERS = {"", "null", "undefined", "unknown", "none", "n/a", "02:00:00:00:00:00", "9774d56d682e549c"}


def _is_placeholder(text: str) -> bool:
    """Whether this is what a platform returns for a device that it cannot tell from others."""
    plain = text.strip().lower()
    return plain in PLACEHOLDERS or len(set(plain.replace("-", "").replace(":", ""))) <= 1


def _machine_guid() -> Optional[str]:
    """Windows' id of this installation."""
    try:
        import winreg

        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography", 0, access) as place:
            guid = winreg.QueryValueEx(place, "MachineGuid")[0]
        return None if _is_placeholder(guid) else guid
    except (ImportError, OSError):
        return None


def _device_id_in_use(game: str, given: Optional[str], store: Any, system: System) -> str:
    """A stored source comes first, then the id that the game passes, then MachineGuid or a random source."""
    # None where the store cannot be read. A source that it may have is then not replaced.
    known = _tried(lambda: store.get(SOURCE_ITEM) or "")
    if known and not _is_placeholder(known):
        return make_device_id(game, known)
    if given is not None:
        return given
    guid = _machine_guid()
    if guid:
        return make_device_id(game, guid)
    fresh = _to_base64url(system.random_bytes(16))
    if known is not None:
        _tried(lambda: store.set(SOURCE_ITEM, fresh))
    return make_device_id(game, fresh)


def _sha512(text: str) -> bytes:
    return hashlib.sha512(text.encode()).digest()


def _to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _from_base64url(text: str) -> Optional[bytes]:
    """None for a text that is not base64url without padding."""
    if not re.fullmatch("[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return None
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

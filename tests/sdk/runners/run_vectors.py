"""Runs vectors.json on latchkey.py, or calls a server as its input says. See run.ts."""

import base64
import json
import re
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import latchkey  # noqa: E402

failed = []
passed = 0


def case(name, play):
    global passed
    try:
        play()
        passed += 1
    except Exception as reason:  # noqa: BLE001
        failed.append(f"failed: latchkey.py, {name}: {reason!r}")


def same(what, actual, expected):
    if actual != expected:
        raise AssertionError(f"{what} is {actual!r}, not {expected!r}")


class DictStore:
    def __init__(self, texts, kind):
        self.texts, self.kind = dict(texts), kind

    def refuse(self, call):
        if self.kind == call:
            raise OSError("The store refuses this.")

    def get(self, name):
        self.refuse("refusesGet")
        return self.texts.get(name)

    def set(self, name, text):
        self.refuse("refusesSet")
        self.texts[name] = text

    def remove(self, name):
        self.refuse("refusesRemove")
        self.texts.pop(name, None)


class Scripted(latchkey.System):
    def __init__(self, run):
        self.run = run
        self.begin(run["steps"][0])

    def begin(self, step):
        self.step, self.sent, self.tasks, self.passed = step, [], [], 0

    def send(self, url, body, seconds):
        index = len(self.sent)
        self.sent.append((url, json.loads(body)))
        response = self.step["responses"][index]
        self.passed += response["takes"]
        wait = response["retryAfter"] or ""
        return latchkey.Response(response["status"], response["body"], int(wait) if re.fullmatch(r"\d+", wait) else None)

    def now(self):
        return self.step["now"] + self.passed

    def uptime(self):
        return self.step["uptime"] + self.passed

    def random(self):
        return self.run["random"]

    def random_bytes(self, count):
        return base64.urlsafe_b64decode(self.step["nonce"] + "==")

    def background(self, task):
        self.tasks.append(task)


def play(run, pins):
    system = Scripted(run)
    store = DictStore(run["stored"], run.get("store"))

    def start(trusted):
        return latchkey.open(
            addresses=run["addresses"],
            game=run["game"],
            device_id=run["deviceId"],
            device_name=run.get("deviceName"),
            version=run.get("version"),
            lang=run.get("lang"),
            pins=trusted,
            store=store,
            system=system,
        )

    client = start(pins)
    for index, step in enumerate(run["steps"]):
        system.begin(step)
        result = None
        if step["do"] == "open":
            client = start(step.get("pins", pins))
        elif step["do"] == "forget":
            client.forget()
        elif step["do"] == "check":
            result = vars(client.check(step["key"]))
        else:
            result = vars(client.release(step["ref"]))
        for task in system.tasks:
            task()
        same(f"step {index}", result, step.get("expect"))
        same(f"step {index}: the addresses", [url for url, _ in system.sent], step.get("sends", []))
        for _, body in system.sent:
            same(f"step {index}: the body", body, step["body"])


def run_vectors(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    pins = vectors["pins"]
    for each in vectors["proofs"]:

        def proof(each=each):
            bind = latchkey.bind_of(each["game"], each["key"], each["deviceId"])
            same("isGood", latchkey.read_proof(pins, each["proof"], bind, each["nonce"]) is not None, each["isGood"])

        case(f"proof: {each['name']}", proof)
    for each in vectors["deviceIds"]:

        def device(each=each):
            try:
                made = latchkey.make_device_id(each["game"], each["source"])
            except ValueError:
                made = None
            same("the device id", made, each["deviceId"])

        case(f"device id: {each['game']}, {each['source']}", device)
    for each in vectors["runs"]:
        case(f"run: {each['name']}", lambda each=each: play(each, pins))


class Shifted(latchkey.System):
    shift = 0.0

    def now(self):
        return super().now() + self.shift


def call_server(folder, game, address, *pins):
    system = Shifted()
    client = latchkey.open(
        addresses=[address],
        game=game,
        pins=[dict(zip(("kid", "publicKey"), pin.split(":"))) for pin in pins],
        store=latchkey.FileStore(folder),
        system=system,
    )
    for line in sys.stdin:
        word, _, value = line.strip().partition(" ")
        if word == "clock":
            system.shift = float(value)
            print("set", flush=True)
        elif word == "release":
            print(client.release(value).isReleased, flush=True)
        else:
            verdict = client.check(value)
            devices = (verdict.release or {}).get("devices", [])
            print(verdict.state, verdict.code or "-", devices[0]["ref"] if devices else "-", flush=True)


if len(sys.argv) > 2:
    call_server(*sys.argv[2:])
else:
    run_vectors(sys.argv[1] + "/vectors.json")
    print("\n".join(failed))
    print(f"{passed} passed, {len(failed)} failed")

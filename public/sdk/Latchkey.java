/*
 * Latchkey SDK for Java 8, Android 8 (API 26) and Kotlin. One file. MIT license.
 *
 *   Latchkey.Options options = new Latchkey.Options();
 *   options.addresses = Arrays.asList("https://keys.example");
 *   options.game = "PUBG MOBILE";
 *   options.pins = PINS;   // new Latchkey.Pin(kid, publicKey): active and next of /.well-known/latchkey-keys
 *   options.store = new Latchkey.FileStore(getFilesDir());
 *   String androidId = Settings.Secure.getString(getContentResolver(), Settings.Secure.ANDROID_ID);
 *   options.deviceId = Latchkey.deviceId(options.game, androidId);
 *   Latchkey latchkey = Latchkey.open(options);
 *
 *   // At the start, and every minute while playing; not on the main thread.
 *   Latchkey.Verdict verdict = latchkey.check(key);
 *   switch (verdict.state) {
 *       case PLAY: run(ONLINE); break;
 *       case PLAY_OFFLINE: run("NOT_ASKED".equals(verdict.code) ? ONLINE : OFFLINE); break;
 *       case REFUSED:
 *           stop(verdict.message);   // says why; with UPDATE_REQUIRED, show the update too
 *           // With DEVICE_LIMIT_REACHED: latchkey.release(ref) of the player's choice, then check again.
 *           if (verdict.release != null && verdict.release.isAllowed) offer(verdict.release.devices);
 *           break;
 *       default: tryAgain(verdict.message != null ? verdict.message : "The server cannot be reached.");
 *   }
 *
 * Java 8 and Android cannot verify Ed25519, so this needs the lightweight API of Bouncy Castle, which is maintained and
 * works on both: org.bouncycastle:bcprov-jdk18on (Debian: libbcprov-java).
 *
 * The device id is made of ANDROID_ID on Android, which this start passes, of MachineGuid on Windows, and elsewhere of
 * a random id in your store. A game that is out keeps its ids: `open` prefers a source that it finds in the store.
 */
package latchkey;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/** May be used by several threads. */
public final class Latchkey {
    public static final String VERSION = "1.0.0";

    private static final double SECONDS_TO_CONNECT = 4;
    private static final double SECONDS_TO_RESPOND = 6;
    private static final double SECONDS_FOR_ALL_ADDRESSES = 10;
    private static final double SECONDS_TO_WAIT_MAX = 60;
    private static final double SECONDS_BETWEEN_REFRESHES = 60;
    /** How far the clock may be behind or past the lease. */
    private static final long SECONDS_OF_TOLERANCE = 300;

    private static final String PROOFS_ITEM = "latchkey.proofs";
    private static final String SOURCE_ITEM = "latchkey.device";

    /** The code of PLAY_OFFLINE before a first attempt has ended. */
    private static final String NOT_ASKED = "NOT_ASKED";

    public static final class Options {
        /** Such as https://keys.example. They are tried in this order. */
        public List<String> addresses;
        /** Never change it, not even when the game is renamed: device ids and stored proofs depend on it. */
        public String game;
        /** The signing keys that were active and next when this build was made. */
        public List<Pin> pins;
        public Store store;
        /**
         * Made with deviceId(game, source), on Android from ANDROID_ID. Left out, it is made of Windows' MachineGuid or
         * of a stored random id. A source that is already stored stays in use, so that a build that begins to pass one
         * takes no second slot.
         */
        public String deviceId;
        public String deviceName;
        /** The version of the game. */
        public String version;
        /** The language of messages, such as pt-BR. */
        public String lang;
        /** Replaced in tests. */
        public Platform platform = new Platform();
    }

    public static final class Pin {
        public final String kid;
        /** 32 bytes as base64url. */
        public final String publicKey;

        public Pin(String kid, String publicKey) {
            this.kid = kid;
            this.publicKey = publicKey;
        }
    }

    /** Keeps texts from one start of the game to the next. What it throws is ignored, so a full phone can play. */
    public interface Store {
        /** Null for a name that was not set. */
        String get(String name);

        void set(String name, String text);

        void remove(String name);
    }

    public enum State {
        /** The last attempt brought a valid proof. */
        PLAY,
        /** A stored proof still counts. */
        PLAY_OFFLINE,
        /** The server refuses the key, and has signed that. */
        REFUSED,
        /** None of these. Let the player try again. */
        UNKNOWN
    }

    public static final class Verdict {
        public State state;
        /**
         * Null where no server has responded. With PLAY_OFFLINE, the code of the last attempt, or NOT_ASKED until the
         * first for this key since open has ended: do not show "offline" before.
         */
        public String code;
        /** May be shown to the player. */
        public String message;
        /** The end of the key, in Unix seconds. */
        public Long until;
        /** Which devices the player may release, where the key has no free slot. */
        public Release release;
    }

    public static final class Release {
        public boolean isAllowed;
        public String allowedAt;
        public List<Device> devices = new ArrayList<>();
    }

    public static final class Device {
        public String ref;
        public String name;
        public String firstConnected;
        public String lastSeen;
    }

    public static final class Released {
        public boolean isReleased;
        public String code;
        public String message;
        /** When the player may release the next device. */
        public String allowedAt;
    }

    public static final class Response {
        /** 0 where there is no response. */
        public final int status;
        public final String body;
        /** The header Retry-After, in seconds, or null. */
        public final Integer retryAfter;

        public Response(int status, String body, Integer retryAfter) {
            this.status = status;
            this.body = body;
            this.retryAfter = retryAfter;
        }
    }

    /** The signed part of a verdict. */
    public static final class Payload {
        String n;
        String bind;
        boolean valid;
        String code;
        long iat;
        Long exp;
        Long until;
    }

    private static final class StoredProof {
        final String proof;
        long seen;

        StoredProof(String proof, long seen) {
            this.proof = proof;
            this.seen = seen;
        }
    }

    /** When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code. */
    private static final class Attempt {
        double at;
        boolean isProven;
        String code = NOT_ASKED;
    }

    /** Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why. */
    private static final class Wait {
        int failures;
        double until;
        String code;
        String message;
    }

    private final Options options;
    private final Platform platform;
    private final String deviceId;
    private String key;
    /** By bind. */
    private final Map<String, StoredProof> proofs;
    /** By bind. */
    private final Map<String, Attempt> attempts = new HashMap<>();
    /** After no response: for every key. */
    private Wait outage = new Wait();
    /** After a 4xx: for the key that was asked, by bind. */
    private final Map<String, Wait> refusals = new HashMap<>();

    private Latchkey(Options options, String deviceId) {
        this.options = options;
        this.platform = options.platform;
        this.deviceId = deviceId;
        this.proofs = readProofs(read(options.store, PROOFS_ITEM));
    }

    /** Throws IllegalArgumentException where the pins or the device id are unusable. */
    public static Latchkey open(Options options) {
        for (Pin pin : options.pins) {
            byte[] bytes = fromBase64Url(pin.publicKey);
            if (bytes == null || bytes.length != 32) {
                throw new IllegalArgumentException("The public key " + pin.kid + " is not 32 bytes of base64url.");
            }
        }
        String id = deviceIdInUse(options);
        if (isPlaceholder(id)) {
            throw new IllegalArgumentException("This device id is a placeholder that many devices share.");
        }
        return new Latchkey(options, id);
    }

    /**
     * A device id from what the platform knows a device by, which is not sent. Throws IllegalArgumentException if that
     * is empty or a placeholder that many devices share.
     */
    public static String deviceId(String game, String source) {
        if (source == null || isPlaceholder(source)) {
            throw new IllegalArgumentException("This source of a device id is a placeholder that many devices share.");
        }
        return "d1." + toBase64Url(sha512("latchkey-device\n" + game + "\n" + source), 16);
    }

    public String deviceId() {
        return deviceId;
    }

    /** Whether the key is good on this device. While a lease is running, this needs no network and returns at once. */
    public Verdict check(String key) {
        String bind = bindOf(options.game, key, deviceId);
        synchronized (this) {
            this.key = key;
            noteTime();
            Payload stored = storedProof(bind);
            Attempt attempt = attempts.get(bind);
            Wait refusal = refusals.get(bind);
            Wait wait = refusal != null && platform.uptime() < refusal.until ? refusal : outage;
            boolean isWaiting = platform.uptime() < wait.until;
            if (stored != null && platform.now() <= stored.exp) {
                boolean isDue = attempt == null || platform.uptime() - attempt.at >= SECONDS_BETWEEN_REFRESHES;
                if (!isWaiting && isDue) {
                    begin(bind);
                    platform.background(() -> attempt(key, bind));
                }
                boolean isProven = attempt != null && attempt.isProven;
                return isProven ? verdict(State.PLAY, stored) : offline(stored, attempt);
            }
            if (isWaiting) return withoutProof(wait, stored, attempt);
        }
        return attempt(key, bind);
    }

    /** Frees the slot of a device that the last check listed in `release`. Check again afterwards. */
    public Released release(String ref) {
        String key;
        synchronized (this) {
            key = this.key;
        }
        if (key == null) throw new IllegalStateException("Check a key before you release one of its devices.");
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("key", key);
        fields.put("game", options.game);
        fields.put("ref", ref);
        fields.put("lang", options.lang);
        Outcome outcome = post("/api/verify/release", fields, Latchkey::isFinal);
        Map<?, ?> said = fieldsOf(outcome.last);
        Released released = new Released();
        released.isReleased = outcome.isAnswered && outcome.last.status == 200;
        released.code = released.isReleased ? null : text(said.get("code"));
        released.message = text(said.get("message"));
        released.allowedAt = text(said.get("allowedAt"));
        return released;
    }

    /** Removes all proofs, for a player who signs out. The device id stays. */
    public synchronized void forget() {
        key = null;
        attempts.clear();
        proofs.clear();
        save();
    }

    private synchronized Attempt begin(String bind) {
        Attempt attempt = new Attempt();
        Attempt before = attempts.put(bind, attempt);
        attempt.at = platform.uptime();
        if (before != null) {
            attempt.isProven = before.isProven;
            attempt.code = before.code;
        }
        return attempt;
    }

    /** Asks the server. */
    private Verdict attempt(String key, String bind) {
        Attempt attempt = begin(bind);
        String nonce = toBase64Url(platform.randomBytes(16), 16);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("key", key);
        fields.put("game", options.game);
        fields.put("deviceId", deviceId);
        fields.put("nonce", nonce);
        fields.put("deviceName", options.deviceName);
        fields.put("version", options.version);
        fields.put("lang", options.lang);
        Payload[] payload = new Payload[1];
        Outcome outcome = post("/api/verify", fields, response -> {
            if (response.status != 200) return isFinal(response);
            payload[0] = readProof(options.pins, text(fieldsOf(response).get("proof")), bind, nonce);
            return payload[0] != null;
        });
        synchronized (this) {
            attempt.isProven = false;
            if (outcome.isAnswered && payload[0] != null) return accept(outcome.last, payload[0], attempt);

            Map<?, ?> said = fieldsOf(outcome.last != null && outcome.last.status >= 400 ? outcome.last : null);
            attempt.code = text(said.get("code"));
            Wait wait = outcome.isAnswered ? refusals.computeIfAbsent(bind, none -> new Wait()) : outage;
            wait.failures += 1;
            double longest = Math.min(SECONDS_TO_WAIT_MAX, Math.pow(2, wait.failures - 1));
            double seconds = outcome.retryAfter != null ? outcome.retryAfter : platform.random() * longest;
            wait.until = platform.uptime() + seconds;
            wait.code = attempt.code;
            wait.message = text(said.get("message"));
            return withoutProof(wait, storedProof(bind), attempt);
        }
    }

    private Verdict accept(Response answer, Payload payload, Attempt attempt) {
        Map<?, ?> said = fieldsOf(answer);
        outage = new Wait();
        refusals.remove(payload.bind);
        attempt.isProven = payload.valid;
        attempt.code = payload.code;
        // A player who has signed out meanwhile has no attempt any more.
        if (attempts.get(payload.bind) == attempt) {
            if (!payload.valid) {
                proofs.remove(payload.bind);
            } else if (payload.exp != null) {
                proofs.put(payload.bind, new StoredProof((String) said.get("proof"), payload.iat));
            }
            save();
        }
        Verdict verdict = verdict(payload.valid ? State.PLAY : State.REFUSED, payload);
        verdict.message = text(said.get("message"));
        verdict.release = releaseOf(said.get("release"));
        return verdict;
    }

    private Verdict withoutProof(Wait wait, Payload stored, Attempt attempt) {
        if (wait == outage && stored != null) return offline(stored, attempt);
        Verdict verdict = new Verdict();
        verdict.state = State.UNKNOWN;
        verdict.code = wait.code;
        verdict.message = wait.message;
        return verdict;
    }

    private static Verdict offline(Payload stored, Attempt attempt) {
        Verdict verdict = verdict(State.PLAY_OFFLINE, stored);
        verdict.code = attempt == null ? NOT_ASKED : attempt.code;
        return verdict;
    }

    private interface Judge {
        boolean isAnswer(Response response);
    }

    private static final class Outcome {
        boolean isAnswered;
        Response last;
        Integer retryAfter;
    }

    /** Tries the addresses in order, until one returns an answer. */
    private Outcome post(String path, Map<String, String> fields, Judge judge) {
        Outcome outcome = new Outcome();
        String body = Json.write(fields);
        double end = platform.uptime() + SECONDS_FOR_ALL_ADDRESSES;
        for (String address : options.addresses) {
            double left = end - platform.uptime();
            if (left <= 0) break;
            outcome.last = platform.send(address.replaceAll("/+$", "") + path, body, left);
            Integer retryAfter = outcome.last.retryAfter;
            outcome.isAnswered = judge.isAnswer(outcome.last);
            if (outcome.isAnswered) {
                outcome.retryAfter = retryAfter;
                break;
            }
            if (retryAfter != null && (outcome.retryAfter == null || retryAfter > outcome.retryAfter)) {
                outcome.retryAfter = retryAfter;
            }
        }
        return outcome;
    }

    /** The stored proof of a bind, if it counts now. */
    private Payload storedProof(String bind) {
        StoredProof stored = proofs.get(bind);
        Payload payload = stored == null ? null : readProof(options.pins, stored.proof, bind, null);
        if (payload == null || !payload.valid || payload.exp == null) return null;
        double now = platform.now();
        boolean counts = now <= payload.exp + SECONDS_OF_TOLERANCE && now >= stored.seen - SECONDS_OF_TOLERANCE;
        return counts ? payload : null;
    }

    /** Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease. */
    private void noteTime() {
        long now = (long) Math.floor(platform.now());
        boolean isBehind = false;
        for (StoredProof stored : proofs.values()) {
            if (stored.seen >= now) continue;
            stored.seen = now;
            isBehind = true;
        }
        if (isBehind) save();
    }

    private void save() {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, StoredProof> entry : proofs.entrySet()) {
            lines.add(entry.getKey() + " " + entry.getValue().seen + " " + entry.getValue().proof);
        }
        // A full phone can still remove.
        if (lines.isEmpty()) tried(() -> options.store.remove(PROOFS_ITEM));
        else tried(() -> options.store.set(PROOFS_ITEM, String.join("\n", lines)));
    }

    /** A call to the store, which may throw. */
    private static void tried(Runnable call) {
        try {
            call.run();
        } catch (Exception refused) {
            // Kotlin throws any kind.
        }
    }

    /** An empty text for a name that was not set, and null where the store cannot be read. */
    private static String read(Store store, String name) {
        try {
            String text = store.get(name);
            return text == null ? "" : text;
        } catch (Exception refused) {
            return null;
        }
    }

    /** Reads what save wrote: a line for each proof. */
    private static Map<String, StoredProof> readProofs(String text) {
        Map<String, StoredProof> proofs = new LinkedHashMap<>();
        for (String line : (text == null ? "" : text).split("\n")) {
            String[] parts = line.split(" ");
            if (parts.length != 3 || !parts[1].matches("[0-9]{1,15}")) continue;
            proofs.put(parts[0], new StoredProof(parts[2], Long.parseLong(parts[1])));
        }
        return proofs;
    }

    private static Verdict verdict(State state, Payload payload) {
        Verdict verdict = new Verdict();
        verdict.state = state;
        verdict.code = payload.code;
        verdict.until = payload.until;
        return verdict;
    }

    private static Release releaseOf(Object value) {
        if (!(value instanceof Map)) return null;
        Map<?, ?> said = (Map<?, ?>) value;
        Release release = new Release();
        release.isAllowed = Boolean.TRUE.equals(said.get("isAllowed"));
        release.allowedAt = text(said.get("allowedAt"));
        Object devices = said.get("devices");
        for (Object each : devices instanceof List ? (List<?>) devices : new ArrayList<>()) {
            if (!(each instanceof Map)) continue;
            Device device = new Device();
            device.ref = text(((Map<?, ?>) each).get("ref"));
            device.name = text(((Map<?, ?>) each).get("name"));
            device.firstConnected = text(((Map<?, ?>) each).get("firstConnected"));
            device.lastSeen = text(((Map<?, ?>) each).get("lastSeen"));
            release.devices.add(device);
        }
        return release;
    }

    /**
     * A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy
     * that blocks the address, is as good as none.
     */
    private static boolean isFinal(Response response) {
        Map<?, ?> said = fieldsOf(response);
        if (response.status == 200) return said.get("message") instanceof String;
        return response.status >= 400 && response.status < 500 && said.get("code") instanceof String;
    }

    private static Map<?, ?> fieldsOf(Response response) {
        Object body = response == null ? null : Json.read(response.body);
        return body instanceof Map ? (Map<?, ?>) body : new HashMap<>();
    }

    private static String text(Object value) {
        return value instanceof String ? (String) value : null;
    }

    /** What ties a proof to a game, key and device, as they are sent. */
    public static String bindOf(String game, String key, String deviceId) {
        StringBuilder plainKey = new StringBuilder(key.replaceAll("^[ \t\r\n]+|[ \t\r\n]+\\z", ""));
        for (int at = 0; at < plainKey.length(); at++) {
            char letter = plainKey.charAt(at);
            if (letter >= 'a' && letter <= 'z') plainKey.setCharAt(at, (char) (letter - 32));
        }
        return toBase64Url(sha512("lk1\n" + game + "\n" + plainKey + "\n" + deviceId), 32);
    }

    /**
     * The payload of a proof, or null if it was not signed by a pinned key or is about another bind or nonce. The
     * signature comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
     */
    public static Payload readProof(List<Pin> pins, String proof, String bind, String nonce) {
        String[] parts = (proof == null ? "" : proof).split("\\.", -1);
        if (parts.length != 4 || !parts[0].equals("lk1")) return null;
        byte[] publicKey = null;
        for (Pin pin : pins) {
            if (pin.kid.equals(parts[1])) publicKey = fromBase64Url(pin.publicKey);
        }
        byte[] content = fromBase64Url(parts[2]);
        byte[] signature = fromBase64Url(parts[3]);
        if (publicKey == null || content == null || signature == null || signature.length != 64) return null;
        byte[] signed = (parts[0] + "." + parts[1] + "." + parts[2]).getBytes(StandardCharsets.UTF_8);
        Ed25519Signer verifier = new Ed25519Signer();
        verifier.init(false, new Ed25519PublicKeyParameters(publicKey, 0));
        verifier.update(signed, 0, signed.length);
        if (!verifier.verifySignature(signature)) return null;

        Object parsed = Json.read(new String(content, StandardCharsets.UTF_8));
        if (!(parsed instanceof Map)) return null;
        Map<?, ?> fields = (Map<?, ?>) parsed;
        Object code = fields.get("code");
        boolean isWhole = fields.get("valid") instanceof Boolean && code instanceof String
            && fields.get("iat") instanceof Long && isTime(fields, "exp") && isTime(fields, "until");
        if (!isWhole || !bind.equals(fields.get("bind"))) return null;
        if (nonce != null && !nonce.equals(fields.get("n"))) return null;
        Payload payload = new Payload();
        payload.n = text(fields.get("n"));
        payload.bind = bind;
        payload.valid = (Boolean) fields.get("valid");
        payload.code = (String) code;
        payload.iat = (Long) fields.get("iat");
        payload.exp = (Long) fields.get("exp");
        payload.until = (Long) fields.get("until");
        return payload;
    }

    private static boolean isTime(Map<?, ?> fields, String name) {
        return fields.containsKey(name) && (fields.get(name) == null || fields.get(name) instanceof Long);
    }

    private static final Set<String> PLACEHOLDERS = new HashSet<>(Arrays.asList(
        "null", "undefined", "unknown", "none", "n/a", "02:00:00:00:00:00", "9774d56d682e549c"));

    /** Whether this is what a platform returns for a device that it cannot tell from others. */
    private static boolean isPlaceholder(String id) {
        String plain = id.trim().toLowerCase(Locale.ROOT);
        return PLACEHOLDERS.contains(plain) || plain.replaceAll("[-:]", "").codePoints().distinct().count() <= 1;
    }

    /** Windows' id of this installation, or null elsewhere. */
    private static String machineGuid() {
        if (!System.getProperty("os.name", "").startsWith("Windows")) return null;
        try {
            String place = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";
            Process query = new ProcessBuilder("reg", "query", place, "/v", "MachineGuid", "/reg:64").start();
            String[] words = readAll(query.getInputStream()).trim().split("\\s+");
            String guid = words[words.length - 1];
            return guid.length() < 32 || isPlaceholder(guid) ? null : guid;
        } catch (IOException noRegistry) {
            return null;
        }
    }

    /** A stored source comes first, then the id that the game passes, then MachineGuid or a random source. */
    private static String deviceIdInUse(Options options) {
        String known = read(options.store, SOURCE_ITEM);
        if (known != null && !isPlaceholder(known)) return deviceId(options.game, known);
        if (options.deviceId != null) return options.deviceId;
        String guid = machineGuid();
        if (guid != null) return deviceId(options.game, guid);
        String fresh = toBase64Url(options.platform.randomBytes(16), 16);
        // A source that cannot be read is not replaced.
        if (known != null) tried(() -> options.store.set(SOURCE_ITEM, fresh));
        return deviceId(options.game, fresh);
    }

    private static byte[] sha512(String text) {
        try {
            return MessageDigest.getInstance("SHA-512").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String toBase64Url(byte[] bytes, int count) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, count));
    }

    /** Null for a text that is not base64url without padding. */
    private static byte[] fromBase64Url(String text) {
        if (!text.matches("[A-Za-z0-9_-]*") || text.length() % 4 == 1) return null;
        return Base64.getUrlDecoder().decode(text);
    }

    private static String readAll(InputStream stream) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int count; (count = stream.read(part)) > 0 && bytes.size() < 1_000_000; ) bytes.write(part, 0, count);
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Keeps each text in a file of a folder, which it makes. */
    public static final class FileStore implements Store {
        private final File folder;

        public FileStore(File folder) {
            this.folder = folder;
        }

        @Override
        public String get(String name) {
            try {
                Path path = new File(folder, name).toPath();
                return Files.exists(path) ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8) : null;
            } catch (IOException reason) {
                throw new java.io.UncheckedIOException(reason);
            }
        }

        @Override
        public void set(String name, String text) {
            try {
                folder.mkdirs();
                Path fresh = new File(folder, name + ".new").toPath();
                Files.write(fresh, text.getBytes(StandardCharsets.UTF_8));
                Files.move(fresh, new File(folder, name).toPath(), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException reason) {
                throw new java.io.UncheckedIOException(reason);
            }
        }

        @Override
        public void remove(String name) {
            new File(folder, name).delete();
        }
    }

    /** What the SDK needs of its platform. */
    public static class Platform {
        private final SecureRandom secureRandom = new SecureRandom();

        /** POSTs JSON, follows no redirect, and returns status 0 where there is no response in time. */
        public Response send(String url, String body, double seconds) {
            Response[] result = {new Response(0, "", null)};
            // In a thread, because neither a name server nor a server that sends a byte a second has a time limit
            // otherwise.
            Thread thread = new Thread(() -> {
                try {
                    result[0] = post(url, body, seconds);
                } catch (IOException | RuntimeException reason) {
                    // No response.
                }
            });
            thread.setDaemon(true);
            thread.start();
            try {
                thread.join(Math.max(1, (long) (seconds * 1000)));
            } catch (InterruptedException reason) {
                Thread.currentThread().interrupt();
            }
            return result[0];
        }

        /** The clock, in Unix seconds. */
        public double now() {
            return System.currentTimeMillis() / 1000.0;
        }

        /** Seconds since any fixed point, whatever happens to the clock. */
        public double uptime() {
            return System.nanoTime() / 1e9;
        }

        /** From 0 up to but not including 1. */
        public double random() {
            return secureRandom.nextDouble();
        }

        public byte[] randomBytes(int count) {
            byte[] bytes = new byte[count];
            secureRandom.nextBytes(bytes);
            return bytes;
        }

        /** Runs a task without waiting for it. */
        public void background(Runnable task) {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }

        private static Response post(String url, String body, double seconds) throws IOException {
            HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
            try {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                connection.setConnectTimeout((int) (1000 * Math.min(SECONDS_TO_CONNECT, seconds)) + 1);
                connection.setReadTimeout((int) (1000 * Math.min(SECONDS_TO_RESPOND, seconds)) + 1);
                connection.setInstanceFollowRedirects(false);
                connection.setRequestMethod("POST");
                connection.setRequestProperty("Content-Type", "application/json");
                connection.setDoOutput(true);
                connection.setFixedLengthStreamingMode(bytes.length);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(bytes);
                }
                int status = connection.getResponseCode();
                InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
                String wait = connection.getHeaderField("Retry-After");
                Integer retryAfter = wait != null && wait.matches("[0-9]{1,9}") ? Integer.valueOf(wait) : null;
                return new Response(Math.max(status, 0), stream == null ? "" : readAll(stream), retryAfter);
            } finally {
                connection.disconnect();
            }
        }
    }

    /** As much of JSON as the calls need. Whole numbers are Long. */
    private static final class Json {
        private static final int DEPTH_MAX = 50;
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        /** Null for null and for invalid JSON. */
        static Object read(String text) {
            try {
                Json json = new Json(text);
                Object value = json.value(0);
                json.space();
                return json.at == text.length() ? value : null;
            } catch (IllegalArgumentException | IndexOutOfBoundsException reason) {
                return null;
            }
        }

        /** Leaves out null fields. */
        static String write(Map<String, String> fields) {
            StringBuilder json = new StringBuilder();
            for (Map.Entry<String, String> field : fields.entrySet()) {
                if (field.getValue() == null) continue;
                json.append(json.length() == 0 ? '{' : ',');
                json.append(quoted(field.getKey())).append(':').append(quoted(field.getValue()));
            }
            return json.append('}').toString();
        }

        private static String quoted(String text) {
            StringBuilder json = new StringBuilder("\"");
            for (char each : text.toCharArray()) {
                if (each == '"' || each == '\\') json.append('\\').append(each);
                else if (each < ' ') json.append(String.format("\\u%04x", (int) each));
                else json.append(each);
            }
            return json.append('"').toString();
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        private boolean skip(char wanted) {
            space();
            if (at >= text.length() || text.charAt(at) != wanted) return false;
            at++;
            return true;
        }

        private void expect(char wanted) {
            if (!skip(wanted)) throw new IllegalArgumentException(text);
        }

        private Object value(int depth) {
            if (depth > DEPTH_MAX) throw new IllegalArgumentException(text);
            if (skip('{')) return object(depth);
            if (skip('[')) return list(depth);
            if (skip('"')) return string();
            int start = at;
            while (at < text.length() && " \t\r\n,]}".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            if (word.equals("null")) return null;
            if (word.equals("true") || word.equals("false")) return Boolean.valueOf(word);
            if (word.matches("-?[0-9]{1,18}")) return Long.valueOf(word);
            return Double.valueOf(word);
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> fields = new HashMap<>();
            if (skip('}')) return fields;
            do {
                expect('"');
                String name = string();
                expect(':');
                fields.put(name, value(depth + 1));
            } while (skip(','));
            expect('}');
            return fields;
        }

        private List<Object> list(int depth) {
            List<Object> values = new ArrayList<>();
            if (skip(']')) return values;
            do values.add(value(depth + 1));
            while (skip(','));
            expect(']');
            return values;
        }

        /** After its first quotation mark. */
        private String string() {
            StringBuilder value = new StringBuilder();
            for (char each; (each = text.charAt(at++)) != '"'; ) {
                if (each != '\\') {
                    value.append(each);
                    continue;
                }
                char escaped = text.charAt(at++);
                int place = "bfnrt".indexOf(escaped);
                if (escaped == 'u') {
                    value.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    value.append(place < 0 ? escaped : "\b\f\n\r\t".charAt(place));
                }
            }
            return value.toString();
        }
    }
}

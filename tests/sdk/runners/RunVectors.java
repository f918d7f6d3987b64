import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import latchkey.Latchkey;

/** Runs vectors.json on Latchkey.java, or calls a server as its input says. See run.ts. */
public class RunVectors {
    static int passed;
    static final List<String> failed = new ArrayList<>();

    interface Play {
        void play() throws Exception;
    }

    static void attempt(String name, Play play) {
        try {
            play.play();
            passed++;
        } catch (Exception | AssertionError reason) {
            failed.add("failed: Latchkey.java, " + name + ": " + reason);
        }
    }

    static void same(String what, Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) throw new AssertionError(what + " is " + actual + ", not " + expected);
    }

    /** The SDK's own reader of JSON, which is private. */
    static Object json(String text) throws Exception {
        Class<?> reader = Class.forName("latchkey.Latchkey$Json");
        Method read = reader.getDeclaredMethod("read", String.class);
        read.setAccessible(true);
        return read.invoke(null, text);
    }

    static final class MapStore implements Latchkey.Store {
        final Map<String, String> texts = new HashMap<>();
        Object kind;

        void refuse(String call) {
            if (call.equals(kind)) throw new IllegalStateException("The store refuses this.");
        }

        public String get(String name) {
            refuse("refusesGet");
            return texts.get(name);
        }

        public void set(String name, String text) {
            refuse("refusesSet");
            texts.put(name, text);
        }

        public void remove(String name) {
            refuse("refusesRemove");
            texts.remove(name);
        }
    }

    static final class Scripted extends Latchkey.Platform {
        final double random;
        Map<String, Object> step;
        List<String> urls = new ArrayList<>();
        List<String> bodies = new ArrayList<>();
        List<Runnable> tasks = new ArrayList<>();
        double passed;

        Scripted(double random) {
            this.random = random;
        }

        void begin(Map<String, Object> step) {
            this.step = step;
            urls = new ArrayList<>();
            bodies = new ArrayList<>();
            tasks = new ArrayList<>();
            passed = 0;
        }

        @Override
        public Latchkey.Response send(String url, String body, double seconds) {
            Map<String, Object> response = objects(step.get("responses")).get(urls.size());
            urls.add(url);
            bodies.add(body);
            passed += number(response.get("takes"));
            String wait = (String) response.get("retryAfter");
            Integer retryAfter = wait != null && wait.matches("[0-9]+") ? Integer.valueOf(wait) : null;
            return new Latchkey.Response((int) number(response.get("status")), (String) response.get("body"), retryAfter);
        }

        @Override
        public double now() {
            return number(step.get("now")) + passed;
        }

        @Override
        public double uptime() {
            return number(step.get("uptime")) + passed;
        }

        @Override
        public double random() {
            return random;
        }

        @Override
        public byte[] randomBytes(int count) {
            return Base64.getUrlDecoder().decode((String) step.get("nonce"));
        }

        @Override
        public void background(Runnable task) {
            tasks.add(task);
        }
    }

    static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(Object value) {
        return (List<Map<String, Object>>) value;
    }

    static List<Latchkey.Pin> pinsOf(Object value) {
        List<Latchkey.Pin> pins = new ArrayList<>();
        for (Map<String, Object> pin : objects(value)) {
            pins.add(new Latchkey.Pin((String) pin.get("kid"), (String) pin.get("publicKey")));
        }
        return pins;
    }

    @SuppressWarnings("unchecked")
    static Latchkey start(Map<String, Object> run, List<Latchkey.Pin> pins, MapStore store, Scripted platform) {
        Latchkey.Options options = new Latchkey.Options();
        options.addresses = (List<String>) run.get("addresses");
        options.game = (String) run.get("game");
        options.deviceId = (String) run.get("deviceId");
        options.deviceName = (String) run.get("deviceName");
        options.version = (String) run.get("version");
        options.lang = (String) run.get("lang");
        options.pins = pins;
        options.store = store;
        options.platform = platform;
        return Latchkey.open(options);
    }

    @SuppressWarnings("unchecked")
    static void play(Map<String, Object> run, List<Latchkey.Pin> pins) throws Exception {
        MapStore store = new MapStore();
        store.texts.putAll((Map<String, String>) run.get("stored"));
        store.kind = run.get("store");
        Scripted platform = new Scripted(number(run.get("random")));
        List<Map<String, Object>> steps = objects(run.get("steps"));
        platform.begin(steps.get(0));
        Latchkey client = start(run, pins, store, platform);
        for (Map<String, Object> step : steps) {
            String at = "step " + steps.indexOf(step);
            platform.begin(step);
            Map<String, Object> result = null;
            switch ((String) step.get("do")) {
                case "open" -> client = start(run, step.containsKey("pins") ? pinsOf(step.get("pins")) : pins, store, platform);
                case "forget" -> client.forget();
                case "check" -> result = fieldsOf(client.check((String) step.get("key")));
                default -> result = fieldsOf(client.release((String) step.get("ref")));
            }
            for (Runnable task : platform.tasks) task.run();
            same(at, result, step.get("expect"));
            same(at + ": the addresses", platform.urls, step.getOrDefault("sends", new ArrayList<>()));
            for (String body : platform.bodies) same(at + ": the body", json(body), step.get("body"));
        }
    }

    static Map<String, Object> fieldsOf(Latchkey.Verdict verdict) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("state", verdict.state.name());
        fields.put("code", verdict.code);
        fields.put("message", verdict.message);
        fields.put("until", verdict.until);
        fields.put("release", verdict.release == null ? null : fieldsOf(verdict.release));
        return fields;
    }

    static Map<String, Object> fieldsOf(Latchkey.Release release) {
        List<Object> devices = new ArrayList<>();
        for (Latchkey.Device device : release.devices) {
            Map<String, Object> fields = new HashMap<>();
            fields.put("ref", device.ref);
            fields.put("name", device.name);
            fields.put("firstConnected", device.firstConnected);
            fields.put("lastSeen", device.lastSeen);
            devices.add(fields);
        }
        Map<String, Object> fields = new HashMap<>();
        fields.put("isAllowed", release.isAllowed);
        fields.put("allowedAt", release.allowedAt);
        fields.put("devices", devices);
        return fields;
    }

    static Map<String, Object> fieldsOf(Latchkey.Released released) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("isReleased", released.isReleased);
        fields.put("code", released.code);
        fields.put("message", released.message);
        fields.put("allowedAt", released.allowedAt);
        return fields;
    }

    static final class Shifted extends Latchkey.Platform {
        double shift;

        @Override
        public double now() {
            return super.now() + shift;
        }
    }

    static void callServer(String[] words) throws Exception {
        Shifted platform = new Shifted();
        Latchkey.Options options = new Latchkey.Options();
        options.store = new Latchkey.FileStore(new File(words[1], "made"));
        options.game = words[2];
        options.addresses = List.of(words[3]);
        options.pins = new ArrayList<>();
        for (int at = 4; at < words.length; at++) {
            String[] pin = words[at].split(":");
            options.pins.add(new Latchkey.Pin(pin[0], pin[1]));
        }
        options.platform = platform;
        Latchkey client = Latchkey.open(options);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            String value = line.substring(line.indexOf(' ') + 1);
            if (line.startsWith("clock ")) {
                platform.shift = Double.parseDouble(value);
                System.out.println("set");
            } else if (line.startsWith("release ")) {
                System.out.println(client.release(value).isReleased);
            } else {
                Latchkey.Verdict verdict = client.check(value);
                boolean hasDevice = verdict.release != null && !verdict.release.devices.isEmpty();
                String ref = hasDevice ? verdict.release.devices.get(0).ref : "-";
                System.out.println(verdict.state + " " + Objects.requireNonNullElse(verdict.code, "-") + " " + ref);
            }
        }
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] words) throws Exception {
        if (words.length > 1) {
            callServer(words);
            return;
        }
        Map<String, Object> vectors = (Map<String, Object>) json(Files.readString(Path.of(words[0], "vectors.json")));
        List<Latchkey.Pin> pins = pinsOf(vectors.get("pins"));
        for (Map<String, Object> each : objects(vectors.get("proofs"))) {
            attempt("proof: " + each.get("name"), () -> {
                String bind = Latchkey.bindOf((String) each.get("game"), (String) each.get("key"), (String) each.get("deviceId"));
                Object payload = Latchkey.readProof(pins, (String) each.get("proof"), bind, (String) each.get("nonce"));
                same("isGood", payload != null, each.get("isGood"));
            });
        }
        for (Map<String, Object> each : objects(vectors.get("deviceIds"))) {
            attempt("device id: " + each.get("game") + ", " + each.get("source"), () -> {
                String made;
                try {
                    made = Latchkey.deviceId((String) each.get("game"), (String) each.get("source"));
                } catch (IllegalArgumentException refused) {
                    made = null;
                }
                same("the device id", made, each.get("deviceId"));
            });
        }
        for (Map<String, Object> each : objects(vectors.get("runs"))) {
            attempt("run: " + each.get("name"), () -> play(each, pins));
        }
        for (String line : failed) System.out.println(line);
        System.out.println(passed + " passed, " + failed.size() + " failed");
    }
}

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Latchkey;

/** Runs vectors.json on Latchkey.cs, or calls a server as its input says. See run.ts. */
static class RunVectors
{
    static int passed;
    static readonly List<string> failed = new List<string>();

    static void Attempt(string name, Action play)
    {
        try
        {
            play();
            passed++;
        }
        catch (Exception reason)
        {
            failed.Add("failed: Latchkey.cs, " + name + ": " + reason.Message);
        }
    }

    sealed class MapStore : IStore
    {
        public readonly Dictionary<string, string> Texts = new Dictionary<string, string>();
        public string Kind;
        void Refuse(string call) { if (Kind == call) throw new IOException("The store refuses this."); }
        public string Get(string name)
        {
            Refuse("refusesGet");
            return Texts.TryGetValue(name, out var text) ? text : null;
        }
        public void Set(string name, string text)
        {
            Refuse("refusesSet");
            Texts[name] = text;
        }
        public void Remove(string name)
        {
            Refuse("refusesRemove");
            Texts.Remove(name);
        }
    }

    /** The SDK's reader makes these of objects and lists. */
    static Dictionary<string, object> Map(object value) { return (Dictionary<string, object>)value; }
    static List<object> List(object value) { return (List<object>)value; }

    static object At(Dictionary<string, object> fields, string name)
    {
        return fields.TryGetValue(name, out var value) ? value : null;
    }

    static double Number(object value) { return Convert.ToDouble(value); }

    /** A value as text, for comparing and showing. */
    static string Shown(object value)
    {
        if (value is Dictionary<string, object> fields)
            return "{" + string.Join(",", fields.OrderBy(each => each.Key, StringComparer.Ordinal).Select(each => each.Key + ":" + Shown(each.Value))) + "}";
        if (value is List<object> values) return "[" + string.Join(",", values.Select(Shown)) + "]";
        return value == null ? "null" : value is string ? "\"" + value + "\"" : value.ToString();
    }

    static void Same(string what, object actual, object expected)
    {
        if (Shown(actual) != Shown(expected)) throw new Exception(what + " is " + Shown(actual) + ", not " + Shown(expected));
    }

    sealed class Scripted : Platform
    {
        public double Jitter;
        Dictionary<string, object> step;
        public List<object> Urls;
        public List<string> Bodies;
        public List<Action> Tasks;
        double waited;

        public void Begin(Dictionary<string, object> next)
        {
            step = next;
            Urls = new List<object>();
            Bodies = new List<string>();
            Tasks = new List<Action>();
            waited = 0;
        }

        public override Response Send(string url, string body, double seconds)
        {
            var response = Map(List(step["responses"])[Urls.Count]);
            Urls.Add(url);
            Bodies.Add(body);
            waited += Number(response["takes"]);
            var wait = (string)response["retryAfter"] ?? "";
            return new Response
            {
                Status = (int)Number(response["status"]),
                Body = (string)response["body"],
                RetryAfter = Regex.IsMatch(wait, "^[0-9]+$") ? int.Parse(wait) : (int?)null
            };
        }

        public override double Now() { return Number(step["now"]) + waited; }
        public override double Uptime() { return Number(step["uptime"]) + waited; }
        public override double Random() { return Jitter; }
        public override byte[] RandomBytes(int count)
        {
            return Convert.FromBase64String(((string)step["nonce"]).Replace('-', '+').Replace('_', '/') + "==");
        }
        public override void Background(Action task) { Tasks.Add(task); }
    }

    static List<Pin> PinsOf(object value)
    {
        return List(value).Select(Map).Select(pin => new Pin { Kid = (string)pin["kid"], PublicKey = (string)pin["publicKey"] }).ToList();
    }

    static void Play(Dictionary<string, object> run, List<Pin> pins)
    {
        var store = new MapStore { Kind = (string)At(run, "store") };
        foreach (var each in Map(run["stored"])) store.Texts[each.Key] = (string)each.Value;
        var platform = new Scripted { Jitter = Number(run["random"]) };
        Func<List<Pin>, Client> start = trusted => Client.Open(new Options
        {
            Addresses = List(run["addresses"]).Cast<string>().ToList(),
            Game = (string)run["game"],
            DeviceId = (string)run["deviceId"],
            DeviceName = (string)At(run, "deviceName"),
            Version = (string)At(run, "version"),
            Lang = (string)At(run, "lang"),
            Pins = trusted,
            Store = store,
            Platform = platform
        });
        var client = start(pins);
        var index = 0;
        foreach (var step in List(run["steps"]).Select(Map))
        {
            platform.Begin(step);
            object result = null;
            switch ((string)step["do"])
            {
                case "open": client = start(step.ContainsKey("pins") ? PinsOf(step["pins"]) : pins); break;
                case "forget": client.Forget(); break;
                case "check": result = FieldsOf(client.Check((string)step["key"])); break;
                default: result = FieldsOf(client.Release((string)step["ref"])); break;
            }
            foreach (var task in platform.Tasks.ToList()) task();
            var at = "step " + index++;
            Same(at, result, At(step, "expect"));
            Same(at + ": the addresses", platform.Urls, At(step, "sends") ?? new List<object>());
            foreach (var body in platform.Bodies) Same(at + ": the body", Json.Read(body), step["body"]);
        }
    }

    static Dictionary<string, object> FieldsOf(Verdict verdict)
    {
        var release = verdict.Release;
        return new Dictionary<string, object>
        {
            ["state"] = verdict.State.ToString(),
            ["code"] = verdict.Code,
            ["message"] = verdict.Message,
            ["until"] = verdict.Until,
            ["release"] = release == null ? null : new Dictionary<string, object>
            {
                ["isAllowed"] = release.IsAllowed,
                ["allowedAt"] = release.AllowedAt,
                ["devices"] = release.Devices.Select(each => (object)new Dictionary<string, object>
                {
                    ["ref"] = each.Ref,
                    ["name"] = each.Name,
                    ["firstConnected"] = each.FirstConnected,
                    ["lastSeen"] = each.LastSeen
                }).ToList()
            }
        };
    }

    static Dictionary<string, object> FieldsOf(Released released)
    {
        return new Dictionary<string, object>
        {
            ["isReleased"] = released.IsReleased,
            ["code"] = released.Code,
            ["message"] = released.Message,
            ["allowedAt"] = released.AllowedAt
        };
    }

    sealed class Shifted : Platform
    {
        public double Shift;
        public override double Now() { return base.Now() + Shift; }
    }

    static void CallServer(string[] words)
    {
        var platform = new Shifted();
        var client = Client.Open(new Options
        {
            Store = new FileStore(Path.Combine(words[1], "made")),
            Game = words[2],
            Addresses = new[] { words[3] },
            Pins = words.Skip(4).Select(pin => pin.Split(':')).Select(pin => new Pin { Kid = pin[0], PublicKey = pin[1] }).ToList(),
            Platform = platform
        });
        for (string line; (line = Console.ReadLine()) != null;)
        {
            var value = line.Substring(line.IndexOf(' ') + 1);
            if (line.StartsWith("clock "))
            {
                platform.Shift = double.Parse(value);
                Console.WriteLine("set");
            }
            else if (line.StartsWith("release "))
            {
                Console.WriteLine(client.Release(value).IsReleased);
            }
            else
            {
                var verdict = client.Check(value);
                var device = verdict.Release == null ? null : verdict.Release.Devices.FirstOrDefault();
                Console.WriteLine(verdict.State + " " + (verdict.Code ?? "-") + " " + (device == null ? "-" : device.Ref));
            }
        }
    }

    static void Main(string[] words)
    {
        if (words.Length > 1)
        {
            CallServer(words);
            return;
        }
        var vectors = Map(Json.Read(File.ReadAllText(Path.Combine(words[0], "vectors.json"))));
        var pins = PinsOf(vectors["pins"]);
        foreach (var each in List(vectors["proofs"]).Select(Map))
        {
            Attempt("proof: " + each["name"], () =>
            {
                var bind = Client.BindOf((string)each["game"], (string)each["key"], (string)each["deviceId"]);
                Same("isGood", Client.ReadProof(pins, (string)each["proof"], bind, (string)each["nonce"]) != null, each["isGood"]);
            });
        }
        foreach (var each in List(vectors["deviceIds"]).Select(Map))
        {
            Attempt("device id: " + each["game"] + ", " + each["source"], () =>
            {
                string made = null;
                try { made = Client.MakeDeviceId((string)each["game"], (string)each["source"]); }
                catch (ArgumentException) { }
                Same("the device id", made, each["deviceId"]);
            });
        }
        foreach (var each in List(vectors["runs"]).Select(Map)) Attempt("run: " + each["name"], () => Play(each, pins));
        foreach (var line in failed) Console.WriteLine(line);
        Console.WriteLine(passed + " passed, " + failed.Count + " failed");
    }
}

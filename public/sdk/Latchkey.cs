/*
 * Latchkey SDK for C# 7 and .NET Standard 2.0: Unity, .NET, Mono. One file. MIT license.
 *
 *   const string game = "PUBG MOBILE";
 *   var isAndroid = Application.platform == RuntimePlatform.Android;
 *   var latchkey = Latchkey.Client.Open(new Latchkey.Options {
 *       Addresses = new[] { "https://keys.example" },
 *       Game = game,
 *       Pins = pins,   // new Latchkey.Pin { Kid, PublicKey }: active and next of /.well-known/latchkey-keys
 *       Store = new Latchkey.FileStore(Application.persistentDataPath),
 *       DeviceId = isAndroid ? Latchkey.Client.MakeDeviceId(game, SystemInfo.deviceUniqueIdentifier) : null,
 *   });
 *
 *   // At the start, and every minute while playing; not on the main thread.
 *   var verdict = await Task.Run(() => latchkey.Check(key));
 *   switch (verdict.State) {
 *       case Latchkey.State.PLAY: Run(isOffline: false); break;
 *       case Latchkey.State.PLAY_OFFLINE: Run(isOffline: verdict.Code != "NOT_ASKED"); break;
 *       case Latchkey.State.REFUSED:
 *           Stop(verdict.Message);   // says why; with UPDATE_REQUIRED, show the update too
 *           // With DEVICE_LIMIT_REACHED: latchkey.Release(ref) of the player's choice, then check again.
 *           if (verdict.Release != null && verdict.Release.IsAllowed) Offer(verdict.Release.Devices);
 *           break;
 *       default: TryAgain(verdict.Message ?? "The server cannot be reached."); break;
 *   }
 *
 * .NET has no Ed25519, so this needs Bouncy Castle, which is maintained and works in Unity: the package
 * BouncyCastle.Cryptography, whose DLL goes to Assets/Plugins. Unity WebGL has neither threads nor sockets, so it
 * needs latchkey.ts, called from a .jslib.
 *
 * The device id is made of ANDROID_ID on Android (this start passes Unity's hash of it), of MachineGuid on Windows, and
 * elsewhere of a random id in your store. A game that is out keeps its ids: `Open` prefers a source that it finds in
 * the store.
 */
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Signers;

namespace Latchkey
{
    public sealed class Options
    {
        /** Such as https://keys.example. They are tried in this order. */
        public IList<string> Addresses;
        /** Never change it, not even when the game is renamed: device ids and stored proofs depend on it. */
        public string Game;
        /** The signing keys that were active and next when this build was made. */
        public IList<Pin> Pins;
        public IStore Store;
        /**
         * Made with Client.MakeDeviceId(game, source), on Android from ANDROID_ID. Left out, it is made of Windows'
         * MachineGuid or of a stored random id. A source that is already stored stays in use, so that a build that
         * begins to pass one takes no second slot.
         */
        public string DeviceId;
        public string DeviceName;
        /** The version of the game. */
        public string Version;
        /** The language of messages, such as pt-BR. */
        public string Lang;
        /** Replaced in tests. */
        public Platform Platform = new Platform();
    }

    public sealed class Pin
    {
        public string Kid;
        /** 32 bytes as base64url. */
        public string PublicKey;
    }

    /** Keeps texts from one start of the game to the next. What it throws is ignored, so a full phone can play. */
    public interface IStore
    {
        /** Null for a name that was not set. */
        string Get(string name);
        void Set(string name, string text);
        void Remove(string name);
    }

    public enum State
    {
        /** The last attempt brought a valid proof. */
        PLAY,
        /** A stored proof still counts. */
        PLAY_OFFLINE,
        /** The server refuses the key, and has signed that. */
        REFUSED,
        /** None of these. Let the player try again. */
        UNKNOWN
    }

    public sealed class Verdict
    {
        public State State;
        /**
         * Null where no server has responded. With PLAY_OFFLINE, the code of the last attempt, or NOT_ASKED until the
         * first for this key since Open has ended: do not show "offline" before.
         */
        public string Code;
        /** May be shown to the player. */
        public string Message;
        /** The end of the key, in Unix seconds. */
        public long? Until;
        /** Which devices the player may release, where the key has no free slot. */
        public Release Release;
    }

    public sealed class Release
    {
        public bool IsAllowed;
        public string AllowedAt;
        public List<Device> Devices = new List<Device>();
    }

    public sealed class Device
    {
        public string Ref;
        public string Name;
        public string FirstConnected;
        public string LastSeen;
    }

    public sealed class Released
    {
        public bool IsReleased;
        public string Code;
        public string Message;
        /** When the player may release the next device. */
        public string AllowedAt;
    }

    public sealed class Response
    {
        /** 0 where there is no response. */
        public int Status;
        public string Body = "";
        /** The header Retry-After, in seconds. */
        public int? RetryAfter;
    }

    /** The signed part of a verdict. */
    public sealed class Payload
    {
        public string Bind;
        public bool Valid;
        public string Code;
        public long Iat;
        public long? Exp;
        public long? Until;
    }

    /** May be used by several threads. */
    public sealed class Client
    {
        public const string Version = "1.0.0";

        internal const double SecondsToConnect = 4;
        internal const double SecondsToRespond = 6;
        const double SecondsForAllAddresses = 10;
        const double SecondsToWaitMax = 60;
        const double SecondsBetweenRefreshes = 60;
        /** How far the clock may be behind or past the lease. */
        const long SecondsOfTolerance = 300;

        const string ProofsItem = "latchkey.proofs";
        const string SourceItem = "latchkey.device";

        /** The code of PLAY_OFFLINE before a first attempt has ended. */
        const string NotAsked = "NOT_ASKED";

        sealed class StoredProof
        {
            public string Proof;
            public long Seen;
        }

        /** When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code. */
        sealed class Attempted
        {
            public double At;
            public bool IsProven;
            public string Code = NotAsked;
        }

        /** Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why. */
        sealed class Wait
        {
            public int Failures;
            public double Until;
            public string Code;
            public string Message;
        }

        readonly Options options;
        readonly Platform platform;
        readonly object guard = new object();
        string lastKey;
        /** By bind. */
        readonly Dictionary<string, StoredProof> proofs;
        /** By bind. */
        readonly Dictionary<string, Attempted> attempts = new Dictionary<string, Attempted>();
        /** After no response: for every key. */
        Wait outage = new Wait();
        /** After a 4xx: for the key that was asked, by bind. */
        readonly Dictionary<string, Wait> refusals = new Dictionary<string, Wait>();

        public readonly string DeviceId;

        Client(Options options, string deviceId)
        {
            this.options = options;
            platform = options.Platform;
            DeviceId = deviceId;
            proofs = ReadProofs(Read(options.Store, ProofsItem));
        }

        /** Throws ArgumentException where the pins or the device id are unusable. */
        public static Client Open(Options options)
        {
            foreach (var pin in options.Pins)
            {
                var bytes = FromBase64Url(pin.PublicKey);
                if (bytes == null || bytes.Length != 32)
                    throw new ArgumentException("The public key " + pin.Kid + " is not 32 bytes of base64url.");
            }
            var id = DeviceIdInUse(options);
            if (IsPlaceholder(id))
                throw new ArgumentException("This device id is a placeholder that many devices share.");
            return new Client(options, id);
        }

        /**
         * A device id from what the platform knows a device by, which is not sent. Throws ArgumentException if that is
         * empty or a placeholder that many devices share.
         */
        public static string MakeDeviceId(string game, string source)
        {
            if (IsPlaceholder(source ?? ""))
                throw new ArgumentException("This source of a device id is a placeholder that many devices share.");
            return "d1." + ToBase64Url(Sha512("latchkey-device\n" + game + "\n" + source), 16);
        }

        /** Whether the key is good on this device. During a lease this needs no network and returns at once. */
        public Verdict Check(string key)
        {
            var bind = BindOf(options.Game, key, DeviceId);
            lock (guard)
            {
                lastKey = key;
                NoteTime();
                var stored = CountingProof(bind);
                attempts.TryGetValue(bind, out var last);
                refusals.TryGetValue(bind, out var refusal);
                var wait = refusal != null && platform.Uptime() < refusal.Until ? refusal : outage;
                var isWaiting = platform.Uptime() < wait.Until;
                if (stored != null && platform.Now() <= stored.Exp)
                {
                    if (!isWaiting && (last == null || platform.Uptime() - last.At >= SecondsBetweenRefreshes))
                    {
                        Begin(bind);
                        platform.Background(() => Attempt(key, bind));
                    }
                    return last != null && last.IsProven ? VerdictOf(State.PLAY, stored) : Offline(stored, last);
                }
                if (isWaiting) return WithoutProof(wait, stored, last);
            }
            return Attempt(key, bind);
        }

        /** Frees the slot of a device that the last check listed in `Release`. Check again afterwards. */
        public Released Release(string deviceRef)
        {
            string key;
            lock (guard) key = lastKey;
            if (key == null) throw new InvalidOperationException("Check a key before you release one of its devices.");
            var fields = new[]
            {
                Field("key", key), Field("game", options.Game), Field("ref", deviceRef), Field("lang", options.Lang)
            };
            var outcome = Post("/api/verify/release", fields, IsFinal);
            var said = FieldsOf(outcome.Last);
            var isReleased = outcome.IsAnswered && outcome.Last.Status == 200;
            return new Released
            {
                IsReleased = isReleased,
                Code = isReleased ? null : TextOf(said, "code"),
                Message = TextOf(said, "message"),
                AllowedAt = TextOf(said, "allowedAt")
            };
        }

        /** Removes all proofs, for a player who signs out. The device id stays. */
        public void Forget()
        {
            lock (guard)
            {
                lastKey = null;
                attempts.Clear();
                proofs.Clear();
                Save();
            }
        }

        Attempted Begin(string bind)
        {
            lock (guard)
            {
                if (!attempts.TryGetValue(bind, out var last)) last = new Attempted();
                attempts[bind] = new Attempted { At = platform.Uptime(), IsProven = last.IsProven, Code = last.Code };
                return attempts[bind];
            }
        }

        /** Asks the server. */
        Verdict Attempt(string key, string bind)
        {
            var attempt = Begin(bind);
            var nonce = ToBase64Url(platform.RandomBytes(16), 16);
            var fields = new[]
            {
                Field("key", key), Field("game", options.Game), Field("deviceId", DeviceId), Field("nonce", nonce),
                Field("deviceName", options.DeviceName), Field("version", options.Version), Field("lang", options.Lang)
            };
            Payload payload = null;
            var outcome = Post("/api/verify", fields, response =>
            {
                if (response.Status != 200) return IsFinal(response);
                payload = ReadProof(options.Pins, TextOf(FieldsOf(response), "proof"), bind, nonce);
                return payload != null;
            });
            lock (guard)
            {
                attempt.IsProven = false;
                if (outcome.IsAnswered && payload != null) return Accept(outcome.Last, payload, attempt);

                var said = FieldsOf(outcome.Last != null && outcome.Last.Status >= 400 ? outcome.Last : null);
                attempt.Code = TextOf(said, "code");
                var wait = outage;
                if (outcome.IsAnswered && !refusals.TryGetValue(bind, out wait)) refusals[bind] = wait = new Wait();
                wait.Failures += 1;
                var longest = Math.Min(SecondsToWaitMax, Math.Pow(2, wait.Failures - 1));
                wait.Until = platform.Uptime() + (outcome.RetryAfter ?? platform.Random() * longest);
                wait.Code = attempt.Code;
                wait.Message = TextOf(said, "message");
                return WithoutProof(wait, CountingProof(bind), attempt);
            }
        }

        Verdict Accept(Response answer, Payload payload, Attempted attempt)
        {
            var said = FieldsOf(answer);
            outage = new Wait();
            refusals.Remove(payload.Bind);
            attempt.IsProven = payload.Valid;
            attempt.Code = payload.Code;
            // A player who has signed out meanwhile has no attempt any more.
            if (attempts.TryGetValue(payload.Bind, out var current) && current == attempt)
            {
                if (!payload.Valid) proofs.Remove(payload.Bind);
                else if (payload.Exp != null)
                    proofs[payload.Bind] = new StoredProof { Proof = TextOf(said, "proof"), Seen = payload.Iat };
                Save();
            }
            var verdict = VerdictOf(payload.Valid ? State.PLAY : State.REFUSED, payload);
            verdict.Message = TextOf(said, "message");
            verdict.Release = ReleaseOf(said);
            return verdict;
        }

        Verdict WithoutProof(Wait wait, Payload stored, Attempted attempt)
        {
            if (wait == outage && stored != null) return Offline(stored, attempt);
            return new Verdict { State = State.UNKNOWN, Code = wait.Code, Message = wait.Message };
        }

        static Verdict Offline(Payload stored, Attempted attempt)
        {
            var code = attempt == null ? NotAsked : attempt.Code;
            return new Verdict { State = State.PLAY_OFFLINE, Code = code, Until = stored.Until };
        }

        sealed class Outcome
        {
            public bool IsAnswered;
            public Response Last;
            public int? RetryAfter;
        }

        /** Tries the addresses in order, until one returns an answer. */
        Outcome Post(string path, IEnumerable<KeyValuePair<string, string>> fields, Func<Response, bool> isAnswer)
        {
            var outcome = new Outcome();
            var body = Json.Write(fields);
            var end = platform.Uptime() + SecondsForAllAddresses;
            foreach (var address in options.Addresses)
            {
                var left = end - platform.Uptime();
                if (left <= 0) break;
                outcome.Last = platform.Send(address.TrimEnd('/') + path, body, left);
                outcome.IsAnswered = isAnswer(outcome.Last);
                if (outcome.IsAnswered)
                {
                    outcome.RetryAfter = outcome.Last.RetryAfter;
                    break;
                }
                if (outcome.Last.RetryAfter != null)
                    outcome.RetryAfter = Math.Max(outcome.RetryAfter ?? 0, outcome.Last.RetryAfter.Value);
            }
            return outcome;
        }

        static KeyValuePair<string, string> Field(string name, string text)
        {
            return new KeyValuePair<string, string>(name, text);
        }

        /** The stored proof of a bind, if it counts now. */
        Payload CountingProof(string bind)
        {
            if (!proofs.TryGetValue(bind, out var stored)) return null;
            var payload = ReadProof(options.Pins, stored.Proof, bind, null);
            if (payload == null || !payload.Valid || payload.Exp == null) return null;
            var now = platform.Now();
            var counts = now <= payload.Exp + SecondsOfTolerance && now >= stored.Seen - SecondsOfTolerance;
            return counts ? payload : null;
        }

        /** Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease. */
        void NoteTime()
        {
            var now = (long)Math.Floor(platform.Now());
            var behind = proofs.Values.Where(stored => stored.Seen < now).ToList();
            foreach (var stored in behind) stored.Seen = now;
            if (behind.Count > 0) Save();
        }

        void Save()
        {
            var lines = proofs.Select(each => each.Key + " " + each.Value.Seen + " " + each.Value.Proof).ToList();
            // A full phone can still remove.
            if (lines.Count == 0) Tried(() => options.Store.Remove(ProofsItem));
            else Tried(() => options.Store.Set(ProofsItem, string.Join("\n", lines)));
        }

        /** A call to the store, which may throw. */
        static void Tried(Action call)
        {
            try
            {
                call();
            }
            catch (Exception)
            {
                // The verdict stands.
            }
        }

        /** An empty text for a name that was not set, and null where the store cannot be read. */
        static string Read(IStore store, string name)
        {
            string text = null;
            Tried(() => text = store.Get(name) ?? "");
            return text;
        }

        /** Reads what Save wrote: a line for each proof. */
        static Dictionary<string, StoredProof> ReadProofs(string text)
        {
            var proofs = new Dictionary<string, StoredProof>();
            foreach (var line in (text ?? "").Split('\n'))
            {
                var parts = line.Split(' ');
                if (parts.Length != 3 || !Regex.IsMatch(parts[1], "^[0-9]{1,15}$")) continue;
                proofs[parts[0]] = new StoredProof { Proof = parts[2], Seen = long.Parse(parts[1]) };
            }
            return proofs;
        }

        static Verdict VerdictOf(State state, Payload payload)
        {
            return new Verdict { State = state, Code = payload.Code, Until = payload.Until };
        }

        static Release ReleaseOf(Dictionary<string, object> said)
        {
            said.TryGetValue("release", out var value);
            if (!(value is Dictionary<string, object> fields)) return null;
            fields.TryGetValue("isAllowed", out var isAllowed);
            fields.TryGetValue("devices", out var devices);
            var release = new Release { IsAllowed = Equals(isAllowed, true), AllowedAt = TextOf(fields, "allowedAt") };
            foreach (var each in (devices as List<object> ?? new List<object>()).OfType<Dictionary<string, object>>())
            {
                release.Devices.Add(new Device
                {
                    Ref = TextOf(each, "ref"),
                    Name = TextOf(each, "name"),
                    FirstConnected = TextOf(each, "firstConnected"),
                    LastSeen = TextOf(each, "lastSeen")
                });
            }
            return release;
        }

        /**
         * A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a
         * proxy that blocks the address, is as good as none.
         */
        static bool IsFinal(Response response)
        {
            var said = FieldsOf(response);
            if (response.Status == 200) return TextOf(said, "message") != null;
            return response.Status >= 400 && response.Status < 500 && TextOf(said, "code") != null;
        }

        static Dictionary<string, object> FieldsOf(Response response)
        {
            var body = response == null ? null : Json.Read(response.Body);
            return body as Dictionary<string, object> ?? new Dictionary<string, object>();
        }

        static string TextOf(Dictionary<string, object> fields, string name)
        {
            return fields.TryGetValue(name, out var value) ? value as string : null;
        }

        /** What ties a proof to a game, key and device, as they are sent. */
        public static string BindOf(string game, string key, string deviceId)
        {
            var trimmed = key.Trim(' ', '\t', '\r', '\n');
            var letters = trimmed.Select(each => each >= 'a' && each <= 'z' ? (char)(each - 32) : each);
            var plainKey = new string(letters.ToArray());
            return ToBase64Url(Sha512("lk1\n" + game + "\n" + plainKey + "\n" + deviceId), 32);
        }

        /**
         * The payload of a proof, or null if it was not signed by a pinned key or is about another bind or nonce. The
         * signature comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
         */
        public static Payload ReadProof(IEnumerable<Pin> pins, string proof, string bind, string nonce)
        {
            var parts = (proof ?? "").Split('.');
            if (parts.Length != 4 || parts[0] != "lk1") return null;
            var pin = pins.FirstOrDefault(each => each.Kid == parts[1]);
            var content = FromBase64Url(parts[2]);
            var signature = FromBase64Url(parts[3]);
            if (pin == null || content == null || signature == null || signature.Length != 64) return null;
            var signed = Encoding.UTF8.GetBytes(parts[0] + "." + parts[1] + "." + parts[2]);
            var verifier = new Ed25519Signer();
            verifier.Init(false, new Ed25519PublicKeyParameters(FromBase64Url(pin.PublicKey), 0));
            verifier.BlockUpdate(signed, 0, signed.Length);
            if (!verifier.VerifySignature(signature)) return null;

            if (!(Json.Read(Encoding.UTF8.GetString(content)) is Dictionary<string, object> fields)) return null;
            fields.TryGetValue("valid", out var valid);
            fields.TryGetValue("iat", out var iat);
            var code = TextOf(fields, "code");
            if (!(valid is bool) || code == null || !(iat is long)) return null;
            if (!IsTime(fields, "exp") || !IsTime(fields, "until")) return null;
            if (TextOf(fields, "bind") != bind || (nonce != null && TextOf(fields, "n") != nonce)) return null;
            return new Payload
            {
                Bind = bind,
                Valid = (bool)valid,
                Code = code,
                Iat = (long)iat,
                Exp = (long?)fields["exp"],
                Until = (long?)fields["until"]
            };
        }

        static bool IsTime(Dictionary<string, object> fields, string name)
        {
            return fields.TryGetValue(name, out var value) && (value == null || value is long);
        }

        static readonly HashSet<string> Placeholders = new HashSet<string>
        {
            "null", "undefined", "unknown", "none", "n/a", "02:00:00:00:00:00", "9774d56d682e549c"
        };

        /** Whether this is what a platform returns for a device that it cannot tell from others. */
        static bool IsPlaceholder(string id)
        {
            var plain = id.Trim().ToLowerInvariant();
            return Placeholders.Contains(plain) || plain.Replace("-", "").Replace(":", "").Distinct().Count() <= 1;
        }

        [DllImport("advapi32.dll", CharSet = CharSet.Unicode)]
        static extern int RegGetValueW(
            UIntPtr root, string place, string name, int flags, IntPtr type, StringBuilder text, ref int size);

        /** Windows' id of this installation, or null elsewhere. */
        static string MachineGuid()
        {
            if (Environment.OSVersion.Platform != PlatformID.Win32NT) return null;
            var localMachine = new UIntPtr(0x80000002u);
            const int isTextFrom64BitView = 0x00010002;
            var guid = new StringBuilder(64);
            var size = 128;
            const string place = @"SOFTWARE\Microsoft\Cryptography";
            var failed = RegGetValueW(
                localMachine, place, "MachineGuid", isTextFrom64BitView, IntPtr.Zero, guid, ref size);
            return failed != 0 || IsPlaceholder(guid.ToString()) ? null : guid.ToString();
        }

        /** A stored source comes first, then the id that the game passes, then MachineGuid or a random source. */
        static string DeviceIdInUse(Options options)
        {
            var known = Read(options.Store, SourceItem);
            if (known != null && !IsPlaceholder(known)) return MakeDeviceId(options.Game, known);
            if (options.DeviceId != null) return options.DeviceId;
            var guid = MachineGuid();
            if (guid != null) return MakeDeviceId(options.Game, guid);
            var fresh = ToBase64Url(options.Platform.RandomBytes(16), 16);
            // A source that cannot be read is not replaced.
            if (known != null) Tried(() => options.Store.Set(SourceItem, fresh));
            return MakeDeviceId(options.Game, fresh);
        }

        static byte[] Sha512(string text)
        {
            using (var hash = SHA512.Create()) return hash.ComputeHash(Encoding.UTF8.GetBytes(text));
        }

        static string ToBase64Url(byte[] bytes, int count)
        {
            return Convert.ToBase64String(bytes, 0, count).TrimEnd('=').Replace('+', '-').Replace('/', '_');
        }

        /** Null for a text that is not base64url without padding. */
        static byte[] FromBase64Url(string text)
        {
            if (!Regex.IsMatch(text, @"^[A-Za-z0-9_-]*\z") || text.Length % 4 == 1) return null;
            var padded = text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4);
            return Convert.FromBase64String(padded);
        }
    }

    /** Keeps each text in a file of a folder, which it makes. */
    public sealed class FileStore : IStore
    {
        readonly string folder;

        public FileStore(string folder)
        {
            this.folder = folder;
        }

        public string Get(string name)
        {
            var path = Path.Combine(folder, name);
            return File.Exists(path) ? File.ReadAllText(path) : null;
        }

        public void Set(string name, string text)
        {
            Directory.CreateDirectory(folder);
            var path = Path.Combine(folder, name);
            File.WriteAllText(path + ".new", text);
            File.Delete(path);
            File.Move(path + ".new", path);
        }

        public void Remove(string name)
        {
            File.Delete(Path.Combine(folder, name));
        }
    }

    /** What the SDK needs of its platform. */
    public class Platform
    {
        /** POSTs JSON, follows no redirect, and returns status 0 where there is no response in time. */
        public virtual Response Send(string url, string body, double seconds)
        {
            var result = new Response();
            // In a thread, because neither a name server nor a server that sends a byte a second has a time limit
            // otherwise.
            var thread = new Thread(() =>
            {
                try
                {
                    var response = Post(url, body, seconds);
                    lock (result)
                    {
                        result.Status = response.Status;
                        result.Body = response.Body;
                        result.RetryAfter = response.RetryAfter;
                    }
                }
                catch (Exception)
                {
                    // No response.
                }
            }) { IsBackground = true };
            thread.Start();
            thread.Join((int)(seconds * 1000) + 1);
            lock (result)
            {
                return new Response { Status = result.Status, Body = result.Body, RetryAfter = result.RetryAfter };
            }
        }

        /** The clock, in Unix seconds. */
        public virtual double Now()
        {
            return (DateTime.UtcNow - new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc)).TotalSeconds;
        }

        /** Seconds since any fixed point, whatever happens to the clock. */
        public virtual double Uptime()
        {
            return System.Diagnostics.Stopwatch.GetTimestamp() / (double)System.Diagnostics.Stopwatch.Frequency;
        }

        /** From 0 up to but not including 1. */
        public virtual double Random()
        {
            return BitConverter.ToUInt32(RandomBytes(4), 0) / 4294967296.0;
        }

        public virtual byte[] RandomBytes(int count)
        {
            var bytes = new byte[count];
            using (var source = RandomNumberGenerator.Create()) source.GetBytes(bytes);
            return bytes;
        }

        /** Runs a task without waiting for it. */
        public virtual void Background(Action task)
        {
            ThreadPool.QueueUserWorkItem(_ =>
            {
                try
                {
                    task();
                }
                catch (Exception)
                {
                    // Whatever stops a refresh, the next check finds out again.
                }
            });
        }

        static Response Post(string url, string body, double seconds)
        {
            var request = (HttpWebRequest)WebRequest.Create(url);
            request.Method = "POST";
            request.ContentType = "application/json";
            request.AllowAutoRedirect = false;
            // .NET has one time limit for connecting and the start of the response.
            request.Timeout = (int)(1000 * Math.Min(Client.SecondsToConnect + Client.SecondsToRespond, seconds)) + 1;
            request.ReadWriteTimeout = (int)(1000 * Client.SecondsToRespond);
            var bytes = Encoding.UTF8.GetBytes(body);
            request.ContentLength = bytes.Length;
            using (var stream = request.GetRequestStream()) stream.Write(bytes, 0, bytes.Length);
            HttpWebResponse response;
            try
            {
                response = (HttpWebResponse)request.GetResponse();
            }
            catch (WebException reason) when (reason.Response is HttpWebResponse refusal)
            {
                response = refusal;
            }
            using (response)
            using (var reader = new StreamReader(response.GetResponseStream(), Encoding.UTF8))
            {
                var isWait = int.TryParse(
                    response.Headers["Retry-After"], NumberStyles.None, CultureInfo.InvariantCulture, out var wait);
                return new Response
                {
                    Status = (int)response.StatusCode,
                    Body = reader.ReadToEnd(),
                    RetryAfter = isWait ? wait : (int?)null
                };
            }
        }
    }

    /** As much of JSON as the calls need. Whole numbers are long. */
    sealed class Json
    {
        const int DepthMax = 50;
        readonly string text;
        int at;

        Json(string text)
        {
            this.text = text;
        }

        /** Null for null and for invalid JSON. */
        public static object Read(string text)
        {
            try
            {
                var json = new Json(text);
                var value = json.Value(0);
                json.Space();
                return json.at == text.Length ? value : null;
            }
            catch (FormatException)
            {
                return null;
            }
        }

        /** Leaves out null fields. */
        public static string Write(IEnumerable<KeyValuePair<string, string>> fields)
        {
            var known = fields.Where(each => each.Value != null);
            return "{" + string.Join(",", known.Select(each => Quoted(each.Key) + ":" + Quoted(each.Value))) + "}";
        }

        static string Quoted(string text)
        {
            var json = new StringBuilder("\"");
            foreach (var each in text)
            {
                if (each == '"' || each == '\\') json.Append('\\').Append(each);
                else if (each < ' ') json.Append("\\u" + ((int)each).ToString("x4"));
                else json.Append(each);
            }
            return json.Append('"').ToString();
        }

        char Next()
        {
            if (at >= text.Length) throw new FormatException();
            return text[at++];
        }

        void Space()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        bool Skip(char wanted)
        {
            Space();
            if (at >= text.Length || text[at] != wanted) return false;
            at++;
            return true;
        }

        void Expect(char wanted)
        {
            if (!Skip(wanted)) throw new FormatException();
        }

        object Value(int depth)
        {
            if (depth > DepthMax) throw new FormatException();
            if (Skip('{')) return Object(depth);
            if (Skip('[')) return List(depth);
            if (Skip('"')) return String();
            var start = at;
            while (at < text.Length && " \t\r\n,]}".IndexOf(text[at]) < 0) at++;
            var word = text.Substring(start, at - start);
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            if (Regex.IsMatch(word, "^-?[0-9]{1,18}$")) return long.Parse(word, CultureInfo.InvariantCulture);
            if (double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)) return number;
            throw new FormatException();
        }

        Dictionary<string, object> Object(int depth)
        {
            var fields = new Dictionary<string, object>();
            if (Skip('}')) return fields;
            do
            {
                Expect('"');
                var name = String();
                Expect(':');
                fields[name] = Value(depth + 1);
            } while (Skip(','));
            Expect('}');
            return fields;
        }

        List<object> List(int depth)
        {
            var values = new List<object>();
            if (Skip(']')) return values;
            do values.Add(Value(depth + 1));
            while (Skip(','));
            Expect(']');
            return values;
        }

        /** After its first quotation mark. */
        string String()
        {
            var value = new StringBuilder();
            for (char each; (each = Next()) != '"';)
            {
                if (each != '\\')
                {
                    value.Append(each);
                    continue;
                }
                var escaped = Next();
                var place = "bfnrt".IndexOf(escaped);
                if (escaped == 'u')
                {
                    var hex = new string(new[] { Next(), Next(), Next(), Next() });
                    value.Append((char)int.Parse(hex, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
                }
                else
                {
                    value.Append(place < 0 ? escaped : "\b\f\n\r\t"[place]);
                }
            }
            return value.ToString();
        }
    }
}

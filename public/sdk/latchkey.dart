/*
 * Latchkey SDK for Dart 3 and Flutter on phones and desktops. One file. MIT license.
 *
 *   const game = 'PUBG MOBILE';
 *   final androidId = Platform.isAndroid ? await const AndroidId().getId() : null; // of the package android_id
 *   final latchkey = await Latchkey.open(
 *     addresses: ['https://keys.example'],
 *     game: game,
 *     pins: pins, // [Pin(kid, publicKey)]: active and next of /.well-known/latchkey-keys
 *     store: FileStore(await getApplicationSupportDirectory()), // of the package path_provider
 *     deviceId: androidId == null ? null : await Latchkey.makeDeviceId(game, androidId),
 *   );
 *
 *   // At the start, and every minute while playing.
 *   final verdict = await latchkey.check(key);
 *   switch (verdict.state) {
 *     case State.play:
 *       run(isOffline: false);
 *     case State.playOffline:
 *       run(isOffline: verdict.code != 'NOT_ASKED');
 *     case State.refused:
 *       stop(verdict.message); // says why; with UPDATE_REQUIRED, show the update too
 *       // With DEVICE_LIMIT_REACHED: latchkey.release(ref) of the player's choice, then check again.
 *       if (verdict.release?['isAllowed'] == true) offer(verdict.release!['devices']);
 *     case State.unknown:
 *       tryAgain(verdict.message ?? 'The server cannot be reached.');
 *   }
 *
 * Dart has no Ed25519, so this needs the package cryptography, which is maintained and written in Dart:
 * dart pub add cryptography
 *
 * The device id is made of ANDROID_ID on Android, which this start passes, and elsewhere of a random id in your store.
 * On iOS, a random id that the package flutter_secure_storage keeps in the Keychain outlasts a reinstall; pass it in
 * the same way. A game that is out keeps its ids: `open` prefers a source that it finds in the store.
 *
 * The authors have no Dart compiler where they test, so this file has never been run. It follows latchkey.ts line by
 * line; run vectors.json before you ship it.
 */
import 'dart:async';
import 'dart:convert';
import 'dart:io';
import 'dart:math';

import 'package:cryptography/cryptography.dart';

class Pin {
  const Pin(this.kid, this.publicKey);

  final String kid;

  /// 32 bytes as base64url.
  final String publicKey;
}

/// Keeps texts from one start of the game to the next. What it throws is ignored, so a full phone can play.
abstract class Store {
  FutureOr<String?> get(String name);
  FutureOr<void> set(String name, String text);
  FutureOr<void> remove(String name);
}

/// Keeps each text in a file of a folder, which it makes.
class FileStore implements Store {
  FileStore(this.folder);

  final Directory folder;

  File _file(String name) => File('${folder.path}/$name');

  @override
  Future<String?> get(String name) async => await _file(name).exists() ? _file(name).readAsString() : null;

  @override
  Future<void> set(String name, String text) async {
    await folder.create(recursive: true);
    final fresh = await _file('$name.new').writeAsString(text, flush: true);
    await fresh.rename(_file(name).path);
  }

  @override
  Future<void> remove(String name) async {
    if (await _file(name).exists()) await _file(name).delete();
  }
}

enum State {
  /// The last attempt brought a valid proof.
  play,

  /// A stored proof still counts.
  playOffline,

  /// The server refuses the key, and has signed that.
  refused,

  /// None of these. Let the player try again.
  unknown,
}

class Verdict {
  const Verdict(this.state, {this.code, this.message, this.until, this.release});

  final State state;

  /// Null where no server has responded. With playOffline, the code of the last attempt, or NOT_ASKED until the first
  /// for this key since `open` has ended: do not show "offline" before.
  final String? code;

  /// May be shown to the player.
  final String? message;

  /// The end of the key, in Unix seconds.
  final int? until;

  /// Which devices the player may release, where the key has no free slot: isAllowed, allowedAt, and devices with ref,
  /// name, firstConnected and lastSeen.
  final Map<String, dynamic>? release;
}

class Released {
  const Released(this.isReleased, {this.code, this.message, this.allowedAt});

  final bool isReleased;
  final String? code;
  final String? message;

  /// When the player may release the next device.
  final String? allowedAt;
}

class Response {
  const Response({this.status = 0, this.body = '', this.retryAfter});

  /// 0 where there is no response.
  final int status;
  final String body;

  /// The header Retry-After, in seconds.
  final int? retryAfter;
}

/// The signed part of a verdict.
class Payload {
  const Payload(this.bind, this.valid, this.code, this.iat, this.exp, this.until);

  final String bind;
  final bool valid;
  final String code;
  final int iat;
  final int? exp;
  final int? until;
}

const _secondsToConnect = 4;
const _secondsToRespond = 6;
const _secondsForAllAddresses = 10.0;
const _secondsToWaitMax = 60;
const _secondsBetweenRefreshes = 60;

/// How far the clock may be behind or past the lease.
const _secondsOfTolerance = 300;

const _proofsItem = 'latchkey.proofs';
const _sourceItem = 'latchkey.device';

/// The code of playOffline before a first attempt has ended.
const _notAsked = 'NOT_ASKED';

/// What the SDK needs of its platform.
class System {
  final _stopwatch = Stopwatch()..start();
  final _random = Random.secure();

  /// POSTs JSON, follows no redirect, and returns status 0 where there is no response in time.
  Future<Response> send(String url, String body, double seconds) async {
    final client = HttpClient();
    client.connectionTimeout = const Duration(seconds: _secondsToConnect);
    try {
      return await _post(client, url, body).timeout(Duration(milliseconds: (seconds * 1000).ceil()));
    } on Exception {
      return const Response();
    } finally {
      client.close(force: true);
    }
  }

  Future<Response> _post(HttpClient client, String url, String body) async {
    final request = await client.postUrl(Uri.parse(url));
    request.followRedirects = false;
    request.headers.contentType = ContentType.json;
    request.add(utf8.encode(body));
    final response = await request.close().timeout(const Duration(seconds: _secondsToRespond));
    final wait = response.headers.value('retry-after') ?? '';
    return Response(
      status: response.statusCode,
      body: await response.transform(const Utf8Decoder(allowMalformed: true)).join(),
      retryAfter: RegExp(r'^[0-9]{1,9}$').hasMatch(wait) ? int.parse(wait) : null,
    );
  }

  /// The clock, in Unix seconds.
  double now() => DateTime.now().millisecondsSinceEpoch / 1000;

  /// Seconds since any fixed point, whatever happens to the clock.
  double uptime() => _stopwatch.elapsedMilliseconds / 1000;

  /// From 0 up to but not including 1.
  double random() => _random.nextDouble();

  List<int> randomBytes(int count) => List.generate(count, (_) => _random.nextInt(256));

  /// Runs a task without waiting for it.
  void background(Future<void> Function() task) {
    // Whatever stops a refresh, the next check finds out again.
    unawaited(task().catchError((_) {}));
  }
}

class _StoredProof {
  _StoredProof(this.proof, this.seen);

  final String proof;
  int seen;
}

/// When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code.
class _Attempt {
  _Attempt(this.at, this.isProven, this.code);

  final double at;
  bool isProven;
  String? code;
}

/// Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why.
class _Wait {
  int failures = 0;
  double until = double.negativeInfinity;
  String? code;
  String? message;
}

class Latchkey {
  Latchkey._(this._addresses, this._pins, this._store, this._fields, this._system, this._proofs);

  static const version = '1.0.0';

  final List<String> _addresses;
  final List<Pin> _pins;
  final Store _store;
  final Map<String, String?> _fields;
  final System _system;
  String? _key;

  /// By bind.
  final Map<String, _StoredProof> _proofs;

  /// By bind.
  final Map<String, _Attempt> _attempts = {};

  /// After no response: for every key.
  final _outage = _Wait();

  /// After a 4xx: for the key that was asked, by bind.
  final Map<String, _Wait> _refusals = {};

  /// Throws ArgumentError where the pins or the device id are unusable.
  ///
  /// [addresses]: such as https://keys.example; they are tried in this order.
  /// [game]: never change it, not even when the game is renamed: device ids and stored proofs depend on it.
  /// [pins]: the signing keys that were active and next when this build was made.
  /// [deviceId]: made with [makeDeviceId], on Android from ANDROID_ID. Left out, the source is a stored random id. A
  /// source that is already stored stays in use, so that a build that begins to pass one takes no second slot.
  /// [version]: the version of the game. [lang]: the language of messages, such as pt-BR.
  static Future<Latchkey> open({
    required List<String> addresses,
    required String game,
    required List<Pin> pins,
    required Store store,
    String? deviceId,
    String? deviceName,
    String? version,
    String? lang,
    System? system,
  }) async {
    final platform = system ?? System();
    for (final pin in pins) {
      if (_fromBase64Url(pin.publicKey)?.length != 32) {
        throw ArgumentError('The public key ${pin.kid} is not 32 bytes of base64url.');
      }
    }
    final id = await _deviceIdInUse(game, deviceId, store, platform);
    if (_isPlaceholder(id)) throw ArgumentError('This device id is a placeholder that many devices share.');
    final fields = {'game': game, 'deviceId': id, 'deviceName': deviceName, 'version': version, 'lang': lang};
    final proofs = _readProofs(await _read(store, _proofsItem));
    return Latchkey._(addresses, pins, store, fields, platform, proofs);
  }

  /// A device id from what the platform knows a device by, which is not sent. Throws ArgumentError if that is empty or
  /// a placeholder that many devices share.
  static Future<String> makeDeviceId(String game, String source) async {
    if (_isPlaceholder(source)) {
      throw ArgumentError('This source of a device id is a placeholder that many devices share.');
    }
    return 'd1.${_toBase64Url((await _sha512('latchkey-device\n$game\n$source')).sublist(0, 16))}';
  }

  String get deviceId => _fields['deviceId']!;

  /// Whether the key is good on this device. While a lease is running, this needs no network and returns at once.
  Future<Verdict> check(String key) async {
    _key = key;
    final bind = await bindOf(_fields['game']!, key, deviceId);
    await _noteTime();
    final stored = await _storedProof(bind);
    final attempt = _attempts[bind];
    final refusal = _refusals[bind];
    final wait = refusal != null && _system.uptime() < refusal.until ? refusal : _outage;
    final isWaiting = _system.uptime() < wait.until;
    if (stored != null && _system.now() <= stored.exp!) {
      if (!isWaiting && (attempt == null || _system.uptime() - attempt.at >= _secondsBetweenRefreshes)) {
        _begin(bind);
        _system.background(() async {
          await _attempt(key, bind);
        });
      }
      final isProven = attempt?.isProven ?? false;
      return isProven ? Verdict(State.play, code: stored.code, until: stored.until) : _offline(stored, attempt);
    }
    return isWaiting ? _withoutProof(wait, stored, attempt) : _attempt(key, bind);
  }

  /// Frees the slot of a device that the last check listed in `release`. Check again afterwards.
  Future<Released> release(String ref) async {
    final key = _key;
    if (key == null) throw StateError('Check a key before you release one of its devices.');
    final fields = {'key': key, 'game': _fields['game'], 'ref': ref, 'lang': _fields['lang']};
    final (answer, last, _) = await _post('/api/verify/release', fields, _isFinal);
    final said = _fieldsOf(last);
    final isReleased = answer?.status == 200;
    return Released(
      isReleased,
      code: isReleased ? null : _text(said['code']),
      message: _text(said['message']),
      allowedAt: _text(said['allowedAt']),
    );
  }

  /// Removes all proofs, for a player who signs out. The device id stays.
  Future<void> forget() async {
    _key = null;
    _attempts.clear();
    _proofs.clear();
    await _save();
  }

  _Attempt _begin(String bind) {
    final last = _attempts[bind] ?? _Attempt(0, false, _notAsked);
    return _attempts[bind] = _Attempt(_system.uptime(), last.isProven, last.code);
  }

  /// Asks the server.
  Future<Verdict> _attempt(String key, String bind) async {
    final attempt = _begin(bind);
    final nonce = _toBase64Url(_system.randomBytes(16));
    Payload? payload;
    final sent = {..._fields, 'key': key, 'nonce': nonce};
    final (answer, last, retryAfter) = await _post('/api/verify', sent, (response) async {
      if (response.status != 200) return _isFinal(response);
      payload = await readProof(_pins, _text(_fieldsOf(response)['proof']), bind, nonce);
      return payload != null;
    });
    attempt.isProven = false;
    final proven = payload;
    if (answer != null && proven != null) return _accept(answer, proven, attempt);

    final said = last != null && last.status >= 400 ? _fieldsOf(last) : const <String, dynamic>{};
    attempt.code = _text(said['code']);
    final wait = answer == null ? _outage : _refusals.putIfAbsent(bind, _Wait.new);
    wait.failures += 1;
    final longest = min(_secondsToWaitMax, pow(2, min(wait.failures - 1, 10)));
    wait.until = _system.uptime() + (retryAfter ?? _system.random() * longest);
    wait.code = attempt.code;
    wait.message = _text(said['message']);
    return _withoutProof(wait, await _storedProof(bind), attempt);
  }

  Future<Verdict> _accept(Response answer, Payload payload, _Attempt attempt) async {
    final said = _fieldsOf(answer);
    _outage.failures = 0;
    _outage.until = double.negativeInfinity;
    _refusals.remove(payload.bind);
    attempt.isProven = payload.valid;
    attempt.code = payload.code;
    // A player who has signed out meanwhile has no attempt any more.
    if (identical(_attempts[payload.bind], attempt)) {
      if (!payload.valid) {
        _proofs.remove(payload.bind);
      } else if (payload.exp != null) {
        _proofs[payload.bind] = _StoredProof(said['proof'] as String, payload.iat);
      }
      await _save();
    }
    final release = said['release'];
    return Verdict(
      payload.valid ? State.play : State.refused,
      code: payload.code,
      message: _text(said['message']),
      until: payload.until,
      release: release is Map<String, dynamic> ? release : null,
    );
  }

  Verdict _withoutProof(_Wait wait, Payload? stored, _Attempt? attempt) {
    if (identical(wait, _outage) && stored != null) return _offline(stored, attempt);
    return Verdict(State.unknown, code: wait.code, message: wait.message);
  }

  static Verdict _offline(Payload stored, _Attempt? attempt) =>
      Verdict(State.playOffline, code: attempt == null ? _notAsked : attempt.code, until: stored.until);

  /// Tries the addresses in order, until one returns an answer. Returns that, the last response and Retry-After.
  Future<(Response?, Response?, int?)> _post(
    String path,
    Map<String, String?> fields,
    FutureOr<bool> Function(Response) isAnswer,
  ) async {
    final body = jsonEncode({...fields}..removeWhere((_, value) => value == null));
    final end = _system.uptime() + _secondsForAllAddresses;
    Response? last;
    int? retryAfter;
    for (final address in _addresses) {
      final left = end - _system.uptime();
      if (left <= 0) break;
      final response = await _system.send(address.replaceAll(RegExp(r'/+$'), '') + path, body, left);
      last = response;
      if (await isAnswer(response)) return (response, response, response.retryAfter);
      final wait = response.retryAfter;
      if (wait != null) retryAfter = max(retryAfter ?? 0, wait);
    }
    return (null, last, retryAfter);
  }

  /// The stored proof of a bind, if it counts now.
  Future<Payload?> _storedProof(String bind) async {
    final stored = _proofs[bind];
    final payload = stored == null ? null : await readProof(_pins, stored.proof, bind, null);
    final exp = payload?.exp;
    if (stored == null || payload == null || !payload.valid || exp == null) return null;
    final now = _system.now();
    final counts = now <= exp + _secondsOfTolerance && now >= stored.seen - _secondsOfTolerance;
    return counts ? payload : null;
  }

  /// Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease.
  Future<void> _noteTime() async {
    final now = _system.now().floor();
    final behind = _proofs.values.where((stored) => stored.seen < now).toList();
    for (final stored in behind) {
      stored.seen = now;
    }
    if (behind.isNotEmpty) await _save();
  }

  Future<void> _save() async {
    final lines = _proofs.entries.map((each) => '${each.key} ${each.value.seen} ${each.value.proof}');
    // A full phone can still remove.
    await _tried(() => lines.isEmpty ? _store.remove(_proofsItem) : _store.set(_proofsItem, lines.join('\n')));
  }

  /// What ties a proof to a game, key and device, as they are sent.
  static Future<String> bindOf(String game, String key, String deviceId) async {
    final plainKey = key
        .replaceAll(RegExp(r'^[ \t\r\n]+|[ \t\r\n]+$'), '')
        .replaceAllMapped(RegExp('[a-z]'), (letter) => letter[0]!.toUpperCase());
    return _toBase64Url((await _sha512('lk1\n$game\n$plainKey\n$deviceId')).sublist(0, 32));
  }

  /// The payload of a proof, or null if it was not signed by a pinned key or is about another bind or nonce. The
  /// signature comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
  static Future<Payload?> readProof(List<Pin> pins, String? proof, String bind, String? nonce) async {
    final parts = (proof ?? '').split('.');
    if (parts.length != 4 || parts[0] != 'lk1') return null;
    final pin = pins.where((each) => each.kid == parts[1]).firstOrNull;
    final publicKey = pin == null ? null : _fromBase64Url(pin.publicKey);
    final content = _fromBase64Url(parts[2]);
    final signature = _fromBase64Url(parts[3]);
    if (publicKey == null || content == null || signature?.length != 64) return null;
    final isSigned = await Ed25519().verify(
      utf8.encode('lk1.${parts[1]}.${parts[2]}'),
      signature: Signature(signature!, publicKey: SimplePublicKey(publicKey, type: KeyPairType.ed25519)),
    );
    if (!isSigned) return null;

    final fields = _parse(utf8.decode(content, allowMalformed: true));
    if (fields is! Map<String, dynamic>) return null;
    final valid = fields['valid'];
    final code = fields['code'];
    final iat = fields['iat'];
    final exp = fields['exp'];
    final until = fields['until'];
    if (valid is! bool || code is! String || iat is! int) return null;
    if (!_isTime(exp) || !_isTime(until)) return null;
    if (fields['bind'] != bind || (nonce != null && fields['n'] != nonce)) return null;
    return Payload(bind, valid, code, iat, exp as int?, until as int?);
  }
}

/// Reads what [Latchkey._save] wrote: a line for each proof.
Map<String, _StoredProof> _readProofs(String? text) {
  final proofs = <String, _StoredProof>{};
  for (final line in (text ?? '').split('\n')) {
    final parts = line.split(' ');
    if (parts.length != 3 || !RegExp(r'^[0-9]{1,15}$').hasMatch(parts[1])) continue;
    proofs[parts[0]] = _StoredProof(parts[2], int.parse(parts[1]));
  }
  return proofs;
}

/// A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy that
/// blocks the address, is as good as none.
bool _isFinal(Response response) {
  final said = _fieldsOf(response);
  if (response.status == 200) return said['message'] is String;
  return response.status >= 400 && response.status < 500 && said['code'] is String;
}

Map<String, dynamic> _fieldsOf(Response? response) {
  final body = response == null ? null : _parse(response.body);
  return body is Map<String, dynamic> ? body : const {};
}

bool _isTime(Object? value) => value == null || value is int;

String? _text(Object? value) => value is String ? value : null;

Object? _parse(String json) {
  try {
    return jsonDecode(json);
  } on FormatException {
    return null;
  }
}

const _placeholders = {'null', 'undefined', 'unknown', 'none', 'n/a', '02:00:00:00:00:00', '9774d56d682e549c'};

/// Whether this is what a platform returns for a device that it cannot tell from others.
bool _isPlaceholder(String id) {
  final plain = id.trim().toLowerCase();
  return _placeholders.contains(plain) || plain.replaceAll(RegExp('[-:]'), '').runes.toSet().length <= 1;
}

/// A call to the store, which may throw.
Future<void> _tried(FutureOr<void> Function() call) async {
  try {
    await call();
  } catch (_) {
    // The verdict stands.
  }
}

/// An empty text for a name that was not set, and null where the store cannot be read.
Future<String?> _read(Store store, String name) async {
  String? text;
  await _tried(() async => text = await store.get(name) ?? '');
  return text;
}

/// A stored source comes first, then the id that the game passes, then a random source, made at the first start.
Future<String> _deviceIdInUse(String game, String? given, Store store, System system) async {
  final known = await _read(store, _sourceItem);
  if (known != null && !_isPlaceholder(known)) return Latchkey.makeDeviceId(game, known);
  if (given != null) return given;
  final fresh = _toBase64Url(system.randomBytes(16));
  // A source that cannot be read is not replaced.
  if (known != null) await _tried(() => store.set(_sourceItem, fresh));
  return Latchkey.makeDeviceId(game, fresh);
}

Future<List<int>> _sha512(String text) async => (await Sha512().hash(utf8.encode(text))).bytes;

String _toBase64Url(List<int> bytes) => base64Url.encode(bytes).replaceAll('=', '');

/// Null for a text that is not base64url without padding.
List<int>? _fromBase64Url(String text) {
  if (!RegExp(r'^[A-Za-z0-9_-]*$').hasMatch(text) || text.length % 4 == 1) return null;
  return base64Url.decode(base64Url.normalize(text));
}

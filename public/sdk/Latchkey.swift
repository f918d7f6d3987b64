/*
 * Latchkey SDK for Swift 5.7: iOS 15, macOS 12 and newer. One file, no dependency. MIT license.
 *
 *   // pins: Latchkey.Pin(kid:publicKey:), active and next of /.well-known/latchkey-keys
 *   let latchkey = try Latchkey.open(.init(
 *     addresses: ["https://keys.example"], game: "PUBG MOBILE", pins: pins, store: UserDefaultsStore()))
 *
 *   // At the start, and every minute while playing.
 *   let verdict = await latchkey.check(key)
 *   switch verdict.state {
 *   case .play: run(isOffline: false)
 *   case .playOffline: run(isOffline: verdict.code != "NOT_ASKED")
 *   case .refused:
 *     stop(verdict.message)  // says why; with UPDATE_REQUIRED, show the update too
 *     // With DEVICE_LIMIT_REACHED: latchkey.release(ref) of the player's choice, then check again.
 *     if let release = verdict.release, release.isAllowed { offer(release.devices) }
 *   case .unknown: tryAgain(verdict.message ?? "The server cannot be reached.")
 *   }
 *
 * Ed25519 and SHA-512 come from CryptoKit, which is part of the system.
 *
 * The device id is made of a UUID in the Keychain, which outlasts a reinstall. A game that is out keeps its ids: `open`
 * prefers the UUID that it finds there.
 *
 * The authors have no Swift compiler where they test, so this file has never been run. It follows latchkey.ts line by
 * line; run vectors.json before you ship it.
 */
import CryptoKit
import Foundation
import Security

/// Keeps texts from one start of the game to the next. What it throws is ignored, so a full phone can play.
public protocol LatchkeyStore: Sendable {
  func get(_ name: String) throws -> String?
  func set(_ name: String, _ text: String) throws
  func remove(_ name: String) throws
}

extension Latchkey {
  public struct Options: Sendable {
    /// Such as https://keys.example. They are tried in this order.
    public var addresses: [String]
    /// Never change it, not even when the game is renamed: device ids and stored proofs depend on it.
    public var game: String
    /// The signing keys that were active and next when this build was made.
    public var pins: [Pin]
    public var store: any LatchkeyStore
    /// Made with `Latchkey.deviceId(game:source:)`. Left out, the source is a UUID in the Keychain. A source that is
    /// already there stays in use, so that a build that begins to pass an id takes no second slot.
    public var deviceId: String?
    public var deviceName: String?
    /// The version of the game.
    public var version: String?
    /// The language of messages, such as pt-BR.
    public var lang: String?
    /// Replaced in tests.
    public var system: System

    public init(
      addresses: [String], game: String, pins: [Pin], store: any LatchkeyStore, deviceId: String? = nil,
      deviceName: String? = nil, version: String? = nil, lang: String? = nil, system: System = System()
    ) {
      self.addresses = addresses
      self.game = game
      self.pins = pins
      self.store = store
      self.deviceId = deviceId
      self.deviceName = deviceName
      self.version = version
      self.lang = lang
      self.system = system
    }
  }

  public struct Pin: Sendable {
    public let kid: String
    /// 32 bytes as base64url.
    public let publicKey: String

    public init(kid: String, publicKey: String) {
      self.kid = kid
      self.publicKey = publicKey
    }
  }

  public enum State: String, Sendable {
    /// The last attempt brought a valid proof.
    case play = "PLAY"
    /// A stored proof still counts.
    case playOffline = "PLAY_OFFLINE"
    /// The server refuses the key, and has signed that.
    case refused = "REFUSED"
    /// None of these. Let the player try again.
    case unknown = "UNKNOWN"
  }

  public struct Verdict: Sendable {
    public var state: State
    /// Nil where no server has responded. With playOffline, the code of the last attempt, or NOT_ASKED until the first
    /// for this key since `open` has ended: do not show "offline" before.
    public var code: String?
    /// May be shown to the player.
    public var message: String?
    /// The end of the key, in Unix seconds.
    public var until: Int?
    /// Which devices the player may release, where the key has no free slot.
    public var release: Release?
  }

  public struct Release: Decodable, Sendable {
    public let isAllowed: Bool
    public let allowedAt: String?
    public let devices: [Device]
  }

  public struct Device: Decodable, Sendable {
    public let ref: String
    public let name: String?
    public let firstConnected: String
    public let lastSeen: String
  }

  public struct Released: Sendable {
    public let isReleased: Bool
    public let code: String?
    public let message: String?
    /// When the player may release the next device.
    public let allowedAt: String?
  }

  public struct Response: Sendable {
    /// 0 where there is no response.
    public var status = 0
    public var body = Data()
    /// The header Retry-After, in seconds.
    public var retryAfter: Int?

    public init(status: Int = 0, body: Data = Data(), retryAfter: Int? = nil) {
      self.status = status
      self.body = body
      self.retryAfter = retryAfter
    }
  }

  /// The signed part of a verdict.
  public struct Payload: Decodable, Sendable {
    public let n: String?
    public let bind: String
    public let valid: Bool
    public let code: String
    public let iat: Int
    public let exp: Int?
    public let until: Int?
  }

  /// What the SDK needs of its platform.
  public struct System: Sendable {
    /// POSTs JSON, follows no redirect, and returns status 0 where there is no response in time.
    public var send: @Sendable (_ url: String, _ body: Data, _ seconds: Double) async -> Response = postOverHTTP
    /// The clock, in Unix seconds.
    public var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    /// Seconds since any fixed point, whatever happens to the clock.
    public var uptime: @Sendable () -> Double = { Double(clock_gettime_nsec_np(CLOCK_MONOTONIC)) / 1e9 }
    /// From 0 up to but not including 1.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
    public var randomBytes: @Sendable (Int) -> Data = { count in
      Data((0..<count).map { _ in UInt8.random(in: .min ... .max) })
    }
    /// Runs a task without waiting for it.
    public var background: @Sendable (@escaping @Sendable () async -> Void) -> Void = { task in Task { await task() } }

    public init() {}
  }
}

/// Keeps the texts among the preferences of the app.
public struct UserDefaultsStore: LatchkeyStore {
  public init() {}
  public func get(_ name: String) -> String? { UserDefaults.standard.string(forKey: name) }
  public func set(_ name: String, _ text: String) { UserDefaults.standard.set(text, forKey: name) }
  public func remove(_ name: String) { UserDefaults.standard.removeObject(forKey: name) }
}

public struct LatchkeyError: Error, CustomStringConvertible {
  public let description: String
}

private let secondsToConnect = 4.0
private let secondsForAllAddresses = 10.0
private let secondsToWaitMax = 60.0
private let secondsBetweenRefreshes = 60.0
/// How far the clock may be behind or past the lease.
private let secondsOfTolerance = 300.0

private let proofsItem = "latchkey.proofs"
private let sourceItem = "latchkey.device"

/// The code of playOffline before a first attempt has ended.
private let notAsked = "NOT_ASKED"

public actor Latchkey {
  public static let version = "1.0.0"

  private struct StoredProof {
    let proof: String
    var seen: Int
  }

  /// When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code.
  private final class Attempt {
    let at: Double
    var isProven = false
    var code: String? = notAsked
    init(at: Double) { self.at = at }
  }

  /// Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why.
  private final class Wait {
    var failures = 0
    var until = -Double.infinity
    var code: String?
    var message: String?
  }

  public nonisolated let deviceId: String
  private let options: Options
  private let system: System
  private var key: String?
  /// By bind.
  private var proofs: [String: StoredProof]
  /// By bind.
  private var attempts: [String: Attempt] = [:]
  /// After no response: for every key.
  private var outage = Wait()
  /// After a 4xx: for the key that was asked, by bind.
  private var refusals: [String: Wait] = [:]

  private init(options: Options, deviceId: String) {
    self.options = options
    self.system = options.system
    self.deviceId = deviceId
    self.proofs = Latchkey.readProofs(try? options.store.get(proofsItem))
  }

  /// Throws where the pins or the device id are unusable.
  public static func open(_ options: Options) throws -> Latchkey {
    for pin in options.pins where fromBase64Url(pin.publicKey)?.count != 32 {
      throw LatchkeyError(description: "The public key \(pin.kid) is not 32 bytes of base64url.")
    }
    let id = try deviceIdInUse(options)
    if isPlaceholder(id) {
      throw LatchkeyError(description: "This device id is a placeholder that many devices share.")
    }
    return Latchkey(options: options, deviceId: id)
  }

  /// A device id from what the platform knows a device by, which is not sent. Throws if that is empty or a placeholder
  /// that many devices share.
  public static func deviceId(game: String, source: String) throws -> String {
    if isPlaceholder(source) {
      throw LatchkeyError(description: "This source of a device id is a placeholder that many devices share.")
    }
    return "d1." + toBase64Url(sha512("latchkey-device\n\(game)\n\(source)").prefix(16))
  }

  /// Whether the key is good on this device. While a lease is running, this needs no network and returns at once.
  public func check(_ key: String) async -> Verdict {
    self.key = key
    let bind = Latchkey.bind(game: options.game, key: key, deviceId: deviceId)
    noteTime()
    let stored = storedProof(bind)
    let attempt = attempts[bind]
    let refusal = refusals[bind].flatMap { system.uptime() < $0.until ? $0 : nil }
    let wait = refusal ?? outage
    let isWaiting = system.uptime() < wait.until
    if let stored, let exp = stored.exp, system.now() <= Double(exp) {
      if !isWaiting, attempt.map({ system.uptime() - $0.at >= secondsBetweenRefreshes }) ?? true {
        _ = begin(bind)
        system.background { _ = await self.attempt(key, bind) }
      }
      return attempt?.isProven == true ? verdict(.play, stored) : offline(stored, attempt)
    }
    return isWaiting ? withoutProof(wait, stored, attempt) : await self.attempt(key, bind)
  }

  /// Frees the slot of a device that the last check listed in `release`. Check again afterwards.
  public func release(_ ref: String) async throws -> Released {
    guard let key else { throw LatchkeyError(description: "Check a key before you release one of its devices.") }
    let sent: [String: String?] = ["key": key, "game": options.game, "ref": ref, "lang": options.lang]
    let (answer, last, _) = await post("/api/verify/release", sent, isFinal)
    let said = fields(of: last)
    let isReleased = answer?.status == 200
    return Released(
      isReleased: isReleased, code: isReleased ? nil : said?.code, message: said?.message, allowedAt: said?.allowedAt)
  }

  /// Removes all proofs, for a player who signs out. The device id stays.
  public func forget() {
    key = nil
    attempts = [:]
    proofs = [:]
    save()
  }

  private func begin(_ bind: String) -> Attempt {
    let attempt = Attempt(at: system.uptime())
    if let last = attempts[bind] {
      attempt.isProven = last.isProven
      attempt.code = last.code
    }
    attempts[bind] = attempt
    return attempt
  }

  /// Asks the server.
  private func attempt(_ key: String, _ bind: String) async -> Verdict {
    let attempt = begin(bind)
    let nonce = toBase64Url(system.randomBytes(16))
    let sent: [String: String?] = [
      "key": key, "game": options.game, "deviceId": deviceId, "nonce": nonce, "deviceName": options.deviceName,
      "version": options.version, "lang": options.lang,
    ]
    var payload: Payload?
    let (answer, last, retryAfter) = await post("/api/verify", sent) { response in
      if response.status != 200 { return isFinal(response) }
      let proof = fields(of: response)?.proof
      payload = Latchkey.readProof(pins: self.options.pins, proof: proof, bind: bind, nonce: nonce)
      return payload != nil
    }
    attempt.isProven = false
    if let answer, let payload { return accept(answer, payload, attempt) }

    let said = (last?.status ?? 0) >= 400 ? fields(of: last) : nil
    attempt.code = said?.code
    let wait = answer == nil ? outage : refusals[bind] ?? Wait()
    if answer != nil { refusals[bind] = wait }
    wait.failures += 1
    let longest = min(secondsToWaitMax, pow(2, Double(wait.failures - 1)))
    wait.until = system.uptime() + (retryAfter.map(Double.init) ?? system.random() * longest)
    wait.code = attempt.code
    wait.message = said?.message
    return withoutProof(wait, storedProof(bind), attempt)
  }

  private func accept(_ answer: Response, _ payload: Payload, _ attempt: Attempt) -> Verdict {
    let said = fields(of: answer)
    outage = Wait()
    refusals[payload.bind] = nil
    attempt.isProven = payload.valid
    attempt.code = payload.code
    // A player who has signed out meanwhile has no attempt any more.
    if attempts[payload.bind] === attempt {
      if !payload.valid {
        proofs[payload.bind] = nil
      } else if payload.exp != nil, let proof = said?.proof {
        proofs[payload.bind] = StoredProof(proof: proof, seen: payload.iat)
      }
      save()
    }
    var result = verdict(payload.valid ? .play : .refused, payload)
    result.message = said?.message
    result.release = said?.release
    return result
  }

  private func withoutProof(_ wait: Wait, _ stored: Payload?, _ attempt: Attempt?) -> Verdict {
    if wait === outage, let stored { return offline(stored, attempt) }
    return Verdict(state: .unknown, code: wait.code, message: wait.message, until: nil, release: nil)
  }

  private func offline(_ stored: Payload, _ attempt: Attempt?) -> Verdict {
    var result = verdict(.playOffline, stored)
    result.code = attempt == nil ? notAsked : attempt?.code
    return result
  }

  private func verdict(_ state: State, _ payload: Payload) -> Verdict {
    Verdict(state: state, code: payload.code, message: nil, until: payload.until, release: nil)
  }

  /// Tries the addresses in order, until one returns an answer.
  private func post(
    _ path: String, _ fields: [String: String?], _ isAnswer: (Response) -> Bool
  ) async -> (answer: Response?, last: Response?, retryAfter: Int?) {
    let body = (try? JSONEncoder().encode(fields.compactMapValues { $0 })) ?? Data()
    let end = system.uptime() + secondsForAllAddresses
    var last: Response?
    var retryAfter: Int?
    for (index, address) in options.addresses.enumerated() {
      let left = end - system.uptime()
      if left <= 0 { break }
      // URLSession does not say when it has connected, so an address before others has 4 s for everything.
      let seconds = index == options.addresses.count - 1 ? left : min(secondsToConnect, left)
      let base = String(address.reversed().drop { $0 == "/" }.reversed())
      let response = await system.send(base + path, body, seconds)
      last = response
      if isAnswer(response) { return (response, response, response.retryAfter) }
      if let wait = response.retryAfter { retryAfter = max(retryAfter ?? 0, wait) }
    }
    return (nil, last, retryAfter)
  }

  /// The stored proof of a bind, if it counts now.
  private func storedProof(_ bind: String) -> Payload? {
    guard let stored = proofs[bind] else { return nil }
    let payload = Latchkey.readProof(pins: options.pins, proof: stored.proof, bind: bind, nonce: nil)
    guard let payload, payload.valid, let exp = payload.exp else { return nil }
    let now = system.now()
    let counts = now <= Double(exp) + secondsOfTolerance && now >= Double(stored.seen) - secondsOfTolerance
    return counts ? payload : nil
  }

  /// Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease.
  private func noteTime() {
    let now = Int(system.now().rounded(.down))
    let behind = proofs.filter { $0.value.seen < now }.keys
    for bind in behind { proofs[bind]?.seen = now }
    if !behind.isEmpty { save() }
  }

  private func save() {
    let lines = proofs.map { bind, stored in "\(bind) \(stored.seen) \(stored.proof)" }
    // A full phone can still remove.
    if lines.isEmpty {
      try? options.store.remove(proofsItem)
    } else {
      try? options.store.set(proofsItem, lines.joined(separator: "\n"))
    }
  }

  /// Reads what `save` wrote: a line for each proof.
  private static func readProofs(_ text: String?) -> [String: StoredProof] {
    var proofs: [String: StoredProof] = [:]
    for line in (text ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ").map(String.init)
      if parts.count == 3, let seen = Int(parts[1]) { proofs[parts[0]] = StoredProof(proof: parts[2], seen: seen) }
    }
    return proofs
  }

  /// What ties a proof to a game, key and device, as they are sent.
  public static func bind(game: String, key: String, deviceId: String) -> String {
    let space: Set<UnicodeScalar> = [" ", "\t", "\r", "\n"]
    var plainKey = Substring(key).unicodeScalars
    while let first = plainKey.first, space.contains(first) { plainKey.removeFirst() }
    while let last = plainKey.last, space.contains(last) { plainKey.removeLast() }
    var upper = ""
    for scalar in plainKey {
      let isLower = ("a"..."z").contains(scalar)
      upper.unicodeScalars.append(isLower ? UnicodeScalar(UInt8(scalar.value) - 32) : scalar)
    }
    return toBase64Url(sha512("lk1\n\(game)\n\(upper)\n\(deviceId)").prefix(32))
  }

  /// The payload of a proof, or nil if it was not signed by a pinned key or is about another bind or nonce. The
  /// signature comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
  public static func readProof(pins: [Pin], proof: String?, bind: String, nonce: String?) -> Payload? {
    let parts = (proof ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "lk1", let pin = pins.first(where: { $0.kid == parts[1] }),
      let publicKey = fromBase64Url(pin.publicKey), let content = fromBase64Url(parts[2]),
      let signature = fromBase64Url(parts[3]), signature.count == 64,
      let verifier = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey),
      verifier.isValidSignature(signature, for: Data("lk1.\(parts[1]).\(parts[2])".utf8)),
      let payload = try? JSONDecoder().decode(Payload.self, from: content)
    else { return nil }
    return payload.bind == bind && (nonce == nil || payload.n == nonce) ? payload : nil
  }
}

/// What a response says beside its proof.
private struct Said: Decodable {
  let code: String?
  let message: String?
  let proof: String?
  let release: Latchkey.Release?
  let allowedAt: String?
}

private func fields(of response: Latchkey.Response?) -> Said? {
  response.flatMap { try? JSONDecoder().decode(Said.self, from: $0.body) }
}

/// A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy that
/// blocks the address, is as good as none.
private func isFinal(_ response: Latchkey.Response) -> Bool {
  let said = fields(of: response)
  if response.status == 200 { return said?.message != nil }
  return (400..<500).contains(response.status) && said?.code != nil
}

private let placeholders: Set<String> = [
  "null", "undefined", "unknown", "none", "n/a", "02:00:00:00:00:00", "9774d56d682e549c",
]

/// Whether this is what a platform returns for a device that it cannot tell from others.
private func isPlaceholder(_ id: String) -> Bool {
  let plain = id.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
  return placeholders.contains(plain) || Set(plain.filter { $0 != "-" && $0 != ":" }).count <= 1
}

/// A source that is already kept comes first, then the id that the game passes, then a new source. The store has one
/// where the game was built with another of these SDKs before.
private func deviceIdInUse(_ options: Latchkey.Options) throws -> String {
  if let known = try? options.store.get(sourceItem), !isPlaceholder(known) {
    return try Latchkey.deviceId(game: options.game, source: known)
  }
  if let passed = options.deviceId {
    guard let known = try? keychainSource() else { return passed }
    return try Latchkey.deviceId(game: options.game, source: known)
  }
  return try Latchkey.deviceId(game: options.game, source: keychainSource() ?? newKeychainSource())
}

private var keychainItem: [String: Any] {
  [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "latchkey",
    kSecAttrAccount as String: "device",
  ]
}

/// A UUID that survives a reinstall, or nil before the first start.
private func keychainSource() throws -> String? {
  var found: CFTypeRef?
  let query = keychainItem.merging([kSecReturnData as String: true]) { $1 }
  let status = SecItemCopyMatching(query as CFDictionary, &found)
  if status == errSecSuccess, let data = found as? Data, let known = String(data: data, encoding: .utf8) {
    return known
  }
  // Before the first unlock the item cannot be read; a new one would be a new device.
  guard status == errSecItemNotFound else { throw LatchkeyError(description: "The Keychain cannot be read: \(status)") }
  return nil
}

/// Where the Keychain cannot keep it, as on a full phone, it lasts until the game ends.
private func newKeychainSource() -> String {
  let fresh = UUID().uuidString
  let added = keychainItem.merging([
    kSecValueData as String: Data(fresh.utf8),
    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
  ]) { $1 }
  SecItemAdd(added as CFDictionary, nil)
  return fresh
}

private func sha512(_ text: String) -> Data {
  Data(SHA512.hash(data: Data(text.utf8)))
}

private func toBase64Url(_ bytes: Data) -> String {
  bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
}

/// Nil for a text that is not base64url without padding.
private func fromBase64Url(_ text: String) -> Data? {
  guard !text.contains(where: { "+/=".contains($0) }), text.utf8.count % 4 != 1 else { return nil }
  let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
  return Data(base64Encoded: standard + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
}

private final class WithoutRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

@Sendable private func postOverHTTP(_ url: String, _ body: Data, _ seconds: Double) async -> Latchkey.Response {
  guard let address = URL(string: url) else { return Latchkey.Response() }
  let configuration = URLSessionConfiguration.ephemeral
  configuration.timeoutIntervalForResource = seconds
  let session = URLSession(configuration: configuration)
  defer { session.finishTasksAndInvalidate() }
  var request = URLRequest(url: address)
  request.httpMethod = "POST"
  request.httpBody = body
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  guard let (data, answer) = try? await session.data(for: request, delegate: WithoutRedirects()),
    let response = answer as? HTTPURLResponse
  else { return Latchkey.Response() }
  let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
  return Latchkey.Response(status: response.statusCode, body: data, retryAfter: wait.flatMap { $0 >= 0 ? $0 : nil })
}

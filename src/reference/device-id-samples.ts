import type { Samples } from "./call.ts";

/**
 * A device id that survives a reinstall (rules.md: Device ids): a hash of the game's name and of a source that the
 * platform keeps. The source itself is not sent.
 */
export const deviceIdSamples: Samples = {
  curl: `# A device id is "d1." and 22 characters. Here it is made from a source and the game.
printf 'latchkey-device\\n%s\\n%s' 'PUBG MOBILE' "$SOURCE" | openssl dgst -sha512 -binary |
  head -c 16 | openssl base64 -A | tr '+/' '-_' | tr -d '=' | sed 's/^/d1./'`,

  javascript: `// The source is a random id in IndexedDB.
function deviceSource() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("latchkey", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("device");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("device", "readwrite");
      const store = transaction.objectStore("device");
      const known = store.get("source");
      known.onsuccess = () => {
        const source = known.result ?? crypto.randomUUID();
        if (!known.result) store.put(source, "source");
        transaction.oncomplete = () => resolve(source);
      };
      transaction.onerror = () => reject(transaction.error);
    };
  });
}

async function deviceId(game) {
  const text = \`latchkey-device\\n\${game}\\n\${await deviceSource()}\`;
  const bytes = new TextEncoder().encode(text);
  const hash = await crypto.subtle.digest("SHA-512", bytes);
  const first = String.fromCharCode(...new Uint8Array(hash, 0, 16));
  const base64 = btoa(first).replace(/\\+/g, "-").replace(/\\//g, "_");
  return "d1." + base64.replace(/=+$/, "");
}`,

  kotlin: `// Android. The source is ANDROID_ID, which stays the same after a reinstall.
import android.content.Context
import android.provider.Settings
import android.util.Base64
import java.security.MessageDigest

fun deviceId(context: Context, game: String): String {
  val source = Settings.Secure.getString(
    context.contentResolver, Settings.Secure.ANDROID_ID)
  // Some emulators and old devices share these.
  val isShared = source.isNullOrEmpty() || source == "9774d56d682e549c" ||
    source.all { it == '0' }
  check(!isShared) { "This device has no id. Keep a random one instead." }
  val text = "latchkey-device\\n$game\\n$source"
  val hash = MessageDigest.getInstance("SHA-512").digest(text.toByteArray())
  val flags = Base64.URL_SAFE or Base64.NO_PADDING or Base64.NO_WRAP
  return "d1." + Base64.encodeToString(hash, 0, 16, flags)
}`,

  swift: String.raw`// The source is a UUID in the Keychain, which stays after a reinstall.
import CryptoKit
import Foundation
import Security

func deviceSource() throws -> String {
  let item: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrService as String: "latchkey",
    kSecAttrAccount as String: "device",
  ]
  var query = item
  query[kSecReturnData as String] = true
  var found: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &found)
  if status == errSecSuccess, let data = found as? Data {
    return String(decoding: data, as: UTF8.self)
  }
  guard status == errSecItemNotFound else { throw KeychainError(status: status) }
  let source = UUID().uuidString
  var added = item
  added[kSecValueData as String] = Data(source.utf8)
  added[kSecAttrAccessible as String] =
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
  let outcome = SecItemAdd(added as CFDictionary, nil)
  guard outcome == errSecSuccess else { throw KeychainError(status: outcome) }
  return source
}

struct KeychainError: Error { let status: OSStatus }

func deviceId(game: String) throws -> String {
  let text = "latchkey-device\n\(game)\n\(try deviceSource())"
  let hash = SHA512.hash(data: Data(text.utf8))
  let base64 = Data(hash.prefix(16)).base64EncodedString()
  return "d1." + base64
    .replacingOccurrences(of: "+", with: "-")
    .replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
}`,

  csharp: `// Windows. The source is MachineGuid, which stays the same after a reinstall.
using System;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Win32;

public static class Device
{
    public static string Id(string game)
    {
        const string path = @"SOFTWARE\\Microsoft\\Cryptography";
        string source;
        using (var machine = RegistryKey.OpenBaseKey(
            RegistryHive.LocalMachine, RegistryView.Registry64))
        using (var folder = machine.OpenSubKey(path))
        {
            source = folder?.GetValue("MachineGuid") as string;
        }
        if (string.IsNullOrEmpty(source))
        {
            throw new InvalidOperationException("This machine has no id.");
        }
        var text = $"latchkey-device\\n{game}\\n{source}";
        using (var sha = SHA512.Create())
        {
            var hash = sha.ComputeHash(Encoding.UTF8.GetBytes(text));
            var base64 = Convert.ToBase64String(hash, 0, 16);
            return "d1." + base64.Replace('+', '-').Replace('/', '_').TrimEnd('=');
        }
    }
}`,

  cpp: `// Windows, with OpenSSL. The source is MachineGuid.
#include <openssl/evp.h>
#include <windows.h>

#include <stdexcept>
#include <string>

std::string deviceId(const std::string& game) {
  char source[64] = {};
  DWORD size = sizeof(source);
  const LSTATUS status = RegGetValueA(
      HKEY_LOCAL_MACHINE, "SOFTWARE\\\\Microsoft\\\\Cryptography", "MachineGuid",
      RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY, nullptr, source, &size);
  if (status != ERROR_SUCCESS || source[0] == '\\0') {
    throw std::runtime_error("This machine has no id.");
  }
  const std::string text = "latchkey-device\\n" + game + "\\n" + source;
  unsigned char hash[EVP_MAX_MD_SIZE];
  EVP_Digest(text.data(), text.size(), hash, nullptr, EVP_sha512(), nullptr);
  unsigned char base64[32] = {};
  EVP_EncodeBlock(base64, hash, 16);
  std::string id(reinterpret_cast<char*>(base64), 22);
  for (char& letter : id) {
    if (letter == '+') letter = '-';
    if (letter == '/') letter = '_';
  }
  return "d1." + id;
}`,
};

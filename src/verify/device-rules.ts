/* Rules about devices that the panel shows too, apart from what applies them, so that pages load nothing else. */

/** rules.md: Limits. Per key and address. */
export const newDevicesPerMinuteMax = 10;
export const newDevicesPerHourMax = 60;

/** Games send these where they cannot read a device's id (rules.md: Guessing keys). */
const sharedDeviceIds = new Set([
  ...["null", "undefined", "unknown", "none", "n/a"],
  // The Wi-Fi address that Android and iOS report, and an ANDROID_ID that many devices of 2010 have.
  ...["02:00:00:00:00:00", "9774d56d682e549c"],
]);
const oneRepeatedCharacter = /^(.?)\1*$/u;

/** Whether many devices may have this id, so that it does not identify a key's connected device. */
export function isSharedDeviceId(deviceId: string): boolean {
  const id = deviceId.toLowerCase();
  return sharedDeviceIds.has(id) || oneRepeatedCharacter.test(id.replace(/[-:]/g, ""));
}

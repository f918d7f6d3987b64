/** The verdict in the examples of /swagger and the API pages. */
export const exampleVerdict = {
  valid: true,
  code: "VALID",
  message: "The key is valid on this device.",
  expiry: "2025-04-04T14:30:00.000Z",
  deviceLimit: 2,
  currentDevices: 1,
  release: null,
};

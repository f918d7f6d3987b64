/* The limits that the panel shows. They are separate from what applies them, so that pages load nothing else. */

/** rules.md: Limits. Per key and address. */
export const newDevicesPerMinuteMax = 10;
export const newDevicesPerHourMax = 60;

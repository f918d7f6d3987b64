export type FormField = "game" | "deviceLimit" | "days" | "count" | "keyString";

/** What stands in the fields. Stands apart from their form, whose schemas the Manage tab does without. */
export type FormTexts = Record<FormField, string>;

/** Section 5: 30 days, 1 key; the game is chosen by whoever orders. */
export const formDefaults: FormTexts = { game: "", deviceLimit: "1", days: "30", count: "1", keyString: "" };

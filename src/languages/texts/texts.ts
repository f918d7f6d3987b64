/** Everything that players read, in one language. `{…}` are places that are filled in. */
export interface Texts {
  /** The language's own name for itself, in the switch. */
  name: string;
  direction: "ltr" | "rtl";
  /** Whether someone who knows the language has checked these texts. */
  isChecked: boolean;
  /** The messages of verdicts, by their codes. */
  verdicts: Record<
    | "VALID"
    | "NOT_FOUND"
    | "MAINTENANCE"
    | "UPDATE_REQUIRED"
    | "REVOKED"
    | "PAUSED"
    | "EXPIRED"
    | "DEVICE_LIMIT_REACHED"
    | "DEVICE_BLOCKED",
    string
  >;
  /** The messages of releases. */
  releases: {
    done: string;
    notAllowed: string;
    notActive: string;
    noDevice: string;
    tooSoon: string;
  };
  /** The player's page. */
  page: {
    title: string;
    lead: string;
    key: string;
    check: string;
    language: string;
    /** `{date}` */
    worksUntil: string;
    /** `{duration}` */
    worksFromFirstUse: string;
    notFound: string;
    revoked: string;
    /** Also the message of a verification. */
    replaced: string;
    paused: string;
    /** `{date}` */
    expired: string;
    maintenance: string;
    devices: string;
    /** `{used}` and `{limit}` */
    devicesUsed: string;
    /** `{used}`, for a key without a limit. */
    devicesUsedUnlimited: string;
    allInUse: string;
    unnamed: string;
    /** `{date}` */
    lastSeen: string;
    free: string;
    /** `{name}`: a device's. Its two answers follow. */
    freeAsk: string;
    yes: string;
    no: string;
    /** `{time}`: how long to wait between two. */
    freePace: string;
    /** `{count}`, after that sentence. */
    freeAtMost: string;
    /** `{time}`: a duration that counts down. */
    freeIn: string;
    /** `{date}`: the same without a countdown. */
    freeAt: string;
    empty: string;
    /** `{time}` */
    tooManyTries: string;
    failed: string;
  };
}

import type { Action, Details } from "../../../src/facts/audit-entry.ts";
import { countText, creditsText, creditsWithUnit, deviceLimitText, durationText, pluralText } from "../../format.ts";

/** The name of an action in the list: its own words, unless these read better. */
export function actionName(action: Action): string {
  return otherNames[action] ?? action.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
}

const otherNames: { [Done in Action]?: string } = {
  sign_in_failed: "Failed sign-in",
  two_factor_enabled: "Two-factor turned on",
  two_factor_disabled: "Two-factor turned off",
  credit_granted: "Credits granted",
  api_key_created: "API key created",
  api_key_deleted: "API key deleted",
  game_created: "Game added",
  duration_created: "Duration added",
  price_list_created: "Price list added",
};

/** The details of an entry besides its name, or "". Entries of an older version may lack some fields. */
export function detailsText(action: Action, details: object): string {
  return (action in phrases ? phrases[action as WithDetails](details as never) : []).filter(Boolean).join(", ");
}

type Phrases<Done extends Action> = (details: Partial<Details[Done]>) => (string | undefined | false)[];

type WithDetails = { [Done in Action]: keyof Details[Done] extends never ? never : Done }[Action];

const phrases: { [Done in WithDetails]: Phrases<Done> } = {
  sign_in_failed: ({ count, wrongCodes = 0, suspended = 0 }) => [
    counted(count, "time"),
    wrongCodes > 0 && `${countText(wrongCodes)} with the right password and a wrong code`,
    suspended > 0 && `${countText(suspended)} with the right password, while suspended`,
  ],
  registered: ({ tokenId, credits }) => [tokenId !== undefined && `with token ${tokenId}`, creditsOrNone(credits)],
  password_changed: ({ sessions }) => [ended(sessions, "other session")],
  password_reset: ({ sessions }) => [ended(sessions, "session")],
  sessions_ended: ({ sessions }) => [counted(sessions, "session")],
  token_created: ({ credits }) => [creditsOrNone(credits)],
  token_revoked: ({ credits }) => [creditsOrNone(credits)],
  credit_granted: changedBalance,
  grant_taken_back: changedBalance,
  reseller_suspended: ({ sessions, reason }) => [quoted(reason), ended(sessions, "session")],
  // The entry's object names the reseller.
  reseller_reactivated: () => [],
  reseller_erased: () => [],
  keys_generated: ({ count, game, days, deviceLimit, cost = 0 }) => [
    counted(count, "key"),
    game,
    counted(days, "day"),
    deviceLimit !== undefined && `${deviceLimitText(deviceLimit)} ${deviceLimit === 1 ? "device" : "devices"}`,
    cost > 0 && creditsWithUnit(cost),
  ],
  key_revoked: ({ game, owner, count, refund = 0 }) => [
    counted(count, "key"),
    game,
    owner !== undefined && `of ${owner}`,
    refund > 0 && `${creditsWithUnit(refund)} refunded`,
  ],
  key_extended: extended,
  keys_extended: extended,
  device_limit_changed: ({ from = 0, to = 0, cost = 0, owner }) => [
    `${deviceLimitText(from)} to ${deviceLimitText(to)}`,
    owner !== undefined && `of ${owner}`,
    cost > 0 && creditsWithUnit(cost),
  ],
  key_paused: ownedKey,
  key_resumed: ownedKey,
  key_replaced: ({ end, owner }) => [end && `now …${end}`, owner !== undefined && `of ${owner}`],
  intervention_started: ({ count, since, reason, resellerNote, ...intervention }) => [
    ...interventionTexts(intervention),
    counted(count, "key"),
    since && `expired since ${since}`,
    quoted(reason),
    resellerNote && `resellers read ${quoted(resellerNote)}`,
  ],
  intervention_undone: interventionTexts,
  keys_imported: ({ lines }) => [counted(lines, "line")],
  import_undone: ({ keys }) => [counted(keys, "key")],
  note_changed: ({ count }) => [counted(count, "key")],
  device_removed: ({ deviceId, count }) => [deviceId, counted(count, "device")],
  device_blocked: ({ deviceId, reason }) => [deviceId, reason],
  device_unblocked: ({ deviceId, reason }) => [deviceId, reason],
  devices_reset: ({ keys }) => [counted(keys, "key")],
  api_key_created: ({ name, scopes, creditsPerDay }) => [
    quoted(name),
    scopes?.replaceAll(" ", ", "),
    creditsPerDay !== undefined && `${creditsWithUnit(creditsPerDay)} a day`,
  ],
  api_key_deleted: ({ name, owner }) => [quoted(name), owner !== undefined && `of ${owner}`],
  staff_created: fieldTexts,
  staff_changed: fieldTexts,
  staff_password_reset: ({ sessions }) => [ended(sessions, "session")],
  staff_removed: ({ sessions }) => [ended(sessions, "session")],
  webhook_created: webhookTexts,
  webhook_changed: ({ isRotated, owner, ...webhook }) => [
    isRotated && "new secret",
    ...webhookTexts(webhook),
    owner !== undefined && `of ${owner}`,
  ],
  webhook_deleted: webhookTexts,
  webhook_switched_off: ({ owner, reason, ...webhook }) => [
    ...webhookTexts(webhook),
    owner !== undefined && `of ${owner}`,
    reason && switchOffTexts[reason],
  ],
  shop_link_created: fieldTexts,
  shop_link_changed: fieldTexts,
  update_created: published,
  update_changed: published,
  update_deleted: ({ title }) => [quoted(title)],
  data_downloaded: ({ count, search, action, reason, actor, from, to }) => [
    counted(count, "key"),
    search && `search ${quoted(search)}`,
    action && `action ${action}`,
    reason && `reason ${reason}`,
    actor && `by ${actor}`,
    from && `from ${from}`,
    to && `to ${to}`,
  ],
  keys_exported: ({ game }) => [game],
  game_created: fieldTexts,
  game_changed: fieldTexts,
  duration_created: fieldTexts,
  duration_changed: fieldTexts,
  price_list_created: fieldTexts,
  price_list_changed: fieldTexts,
  price_list_assigned: ({ priceList }) => [priceList],
  backup_made: ({ file, notInS3 }) => [file, notInS3 && "not in S3"],
  backup_restored: ({ file }) => [file],
  admin_removed: ({ sessions }) => [ended(sessions, "session")],
  database_migrated: ({ migration }) => [migration],
  clock_repaired: ({ times }) => [counted(times, "time")],
  secret_lost: ({ signingKeys, webhooks, shopLinks, twoFactor }) => [
    counted(signingKeys, "signing key"),
    counted(webhooks, "webhook"),
    counted(shopLinks, "shop link"),
    counted(twoFactor, "two-factor secret"),
  ],
};

const fieldNames: Record<string, string> = {
  isRetired: "retired",
  minimumVersion: "minimum version",
  updateMessage: "update message",
  releaseIsAllowed: "players may free devices",
  releaseCooldownHours: "hours between releases",
  releasePerThirtyDays: "releases in 30 days",
  releaseIdleDays: "idle days",
  leaseHours: "hours offline",
  creditsPerDay: "credits a day",
  isActive: "switched on",
  durationId: "duration",
  deviceLimit: "devices",
  saleId: "sale id",
  maxQuantity: "keys of a sale",
  hasNewSecret: "new secret",
};

/** The fields of a game, a duration, a price list or a staff account. */
function fieldTexts(fields: Partial<Details["game_changed"]>) {
  return Object.entries(fields).map(([name, value]) => {
    const text = value === "" ? "none" : value === true ? "yes" : value === false ? "no" : value;
    return `${fieldNames[name] ?? name} ${text}`;
  });
}

function ownedKey({ game, owner }: Partial<Details["key_paused"]>) {
  return [game, owner !== undefined && `of ${owner}`];
}

function interventionTexts(given: Partial<Details["intervention_undone"]>) {
  const { kind, hours, game, owner, orderId } = given;
  return [
    kind,
    counted(hours, "hour"),
    game ?? (owner && `keys of ${owner}`) ?? (orderId === undefined ? "all keys" : `order ${orderId}`),
  ];
}

function changedBalance({ amount, balance }: Partial<Details["credit_granted"]>) {
  return [
    amount !== undefined && creditsWithUnit(amount),
    balance !== undefined && `the balance then ${creditsText(balance)}`,
  ];
}

function extended({ count, hours = 0, cost = 0, owner }: Partial<Details["keys_extended"] & Details["key_extended"]>) {
  return [
    counted(count, "key"),
    durationText(hours),
    owner !== undefined && `of ${owner}`,
    cost > 0 && creditsWithUnit(cost),
  ];
}

const switchOffTexts: Record<string, string> = {
  GONE: "its server returned 410 Gone",
  FAILED: "ten attempts failed",
  BACKLOG: "too many events were waiting",
  SECRET_LOST: "its secret was lost with SECRET",
};

function webhookTexts({ kind, host, chatId, events, isActive }: Partial<Details["webhook_created"]>) {
  return [kind, host ?? chatId, events?.replaceAll(" ", ", "), isActive === false && "off"];
}

function published({ title, isActive }: Partial<Details["update_changed"]>) {
  return [quoted(title), isActive === false && "inactive"];
}

function counted(count: number | undefined, one: string) {
  return count !== undefined && pluralText(count, one);
}

function ended(sessions = 0, one: string) {
  return sessions > 0 && `${pluralText(sessions, one)} ended`;
}

function creditsOrNone(credits: number | undefined) {
  return credits !== undefined && (credits === 0 ? "no credits" : creditsWithUnit(credits));
}

function quoted(text: string | undefined) {
  return text !== undefined && `“${text}”`;
}

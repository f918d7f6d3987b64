/**
 * What a reseller reads whose status changed (rules.md: Suspension): the refusal at the login, and the notice on an open page. They
 * stand apart from the schemas because every page of the panel loads them, and none should load TypeBox for them.
 */
export const suspendedSentence = "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.";
export const reactivatedSentence = "Your account has been reactivated by the admin.";

/**
 * What resellers read when their status changes (rules.md: Suspension): the refusal of the sign-in, and the notice on
 * an open page. They are separate from the schemas because every page of the panel loads them, and none should load
 * TypeBox for them.
 */
export const suspendedSentence = "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.";
/** For a staff account that is switched off. */
export const switchedOffSentence = "This account is switched off. Please ask its owner.";
export const reactivatedSentence = "Your account has been reactivated by the admin.";

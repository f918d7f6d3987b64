/*
 * The cookies that scripts keep for the next rendering of a page. They grant no rights. They are separate from the
 * islands that write them, so that a start loads no islands.
 */

/** The role of the last sign-in, on whose tab the login opens. */
export const lastRoleCookie = "last-role";

/** Set once the first steps are done or dismissed. */
export const firstStepsCookie = "first-steps";

/** The language of the samples that was chosen last. */
export const languageCookie = "sample-language";

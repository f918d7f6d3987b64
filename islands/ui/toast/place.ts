/**
 * Where toasts stand: below 768 px at the top, under the header and what the banner says there, because a sheet's buttons and the
 * bottom bar are at the bottom; from 768 px on at the bottom right.
 */
export const toastPlaceLook =
  "pointer-events-none fixed right-0 bottom-0 z-60 w-full p-4 outline-none sm:max-w-100 max-md:top-(--sticky-top) max-md:bottom-auto max-md:supports-[anchor-name:--banner]:top-[anchor(--banner_bottom,var(--sticky-top))]";

/** A dialog floats in the middle from 768 px on; below that it rises from the bottom as a sheet. Dialog and Confirm share this look. */
export const scrimLook =
  "fixed inset-0 z-40 bg-scrim data-[state=open]:animate-appear data-[state=closed]:animate-vanish";

export const surfaceLook = [
  "fixed z-50 flex flex-col border-line bg-overlay lifted outline-none",
  // Too low for a head and buttons that stay, such as a phone at 400 %: everything scrolls together.
  "[@media(max-height:30rem)]:overflow-y-auto [@media(max-height:30rem)]:overscroll-contain",
  "max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[92dvh] max-md:rounded-t-xl max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]",
  "max-md:data-[state=open]:animate-rise max-md:data-[state=closed]:animate-sink",
  "md:inset-0 md:m-auto md:h-fit md:max-h-[min(85dvh,48rem)] md:rounded-xl md:border",
  "md:data-[state=open]:animate-settle md:data-[state=closed]:animate-unsettle",
].join(" ");

/** On phones it is what a drag takes hold of. */
export const headLook = "shrink-0 touch-none px-4 pt-2 pb-4 md:touch-auto md:px-5 md:pt-5";

export const bodyLook =
  "min-h-0 grow overflow-y-auto overscroll-contain px-4 pb-4 md:px-5 md:pb-5 [@media(max-height:30rem)]:shrink-0 [@media(max-height:30rem)]:overflow-visible";

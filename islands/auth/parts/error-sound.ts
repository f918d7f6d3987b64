const errorSoundVolume = 0.7;
const startMsMax = 300;

/**
 * Starts our short tone. Waits until it sounds, because the blocking alert that follows would hold it back, but never for long, and
 * never fails: a browser that refuses to play must not stop the alert and the toast.
 */
export async function startErrorSound(): Promise<void> {
  try {
    const sound = new Audio("/error.wav");
    sound.volume = errorSoundVolume;
    await Promise.race([sound.play(), new Promise((resolve) => setTimeout(resolve, startMsMax))]);
  } catch {
    // Refused, or there is nothing to play it with.
  }
}

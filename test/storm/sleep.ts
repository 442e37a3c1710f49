/** A storm goes on for a time. */
export const sleep = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1_000))

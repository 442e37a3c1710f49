/** Longest id of a message in characters: its answer repeats it. */
export const RPC_ID_CHARACTERS = 128

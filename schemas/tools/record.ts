/** Longest id of a message in characters: its answer repeats it. */
export const RPC_ID_CHARACTERS = 128

/** Newest revision of the protocol, without sessions. */
export const STATELESS_REVISION = '2026-07-28'
/** Revisions that the service speaks, newest first. Of the older ones, 2025-03-26 asks for batches and 2024-11-05 for another transport. */
export const PROTOCOL_REVISIONS = [STATELESS_REVISION, '2025-11-25', '2025-06-18']

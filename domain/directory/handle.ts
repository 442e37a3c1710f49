/** Readable name of a worker, from the ends of the lower-case address: `agent-7099-79c8`. */
export const agentHandle = (wallet: string): string => `agent-${wallet.slice(2, 6)}-${wallet.slice(-4)}`

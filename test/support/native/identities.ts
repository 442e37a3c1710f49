import { createPublicClient, http } from 'viem'
import { createEarningIdentities } from '../../../activities/identity/earning-identity.ts'
import { createMappingReader } from '../../../activities/identity/native-mapping.ts'

const reader = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })

/** Readers of a chain that serves no native accounts. */
const evmMappings = createMappingReader({ reader, native: undefined, clock: { now: () => Date.now() }, timeoutMs: 1_000 })

/** Identities of that chain: every EVM wallet can earn. */
export const evmIdentities = createEarningIdentities(evmMappings, { nativeSymbol: 'PAS' })

import { z } from 'zod'
import { chainKey, parseJson, raw, SECRET } from '../common/setting-parsers.ts'

/** A node of a chain with its keys, which may stand in the address and in the headers. */
const Node = z.strictObject({
  chainId: z.int().positive(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  /** True for a node that takes transactions and is not read. */
  writeOnly: z.boolean().default(false),
})

export const settings = {
  CHAIN_FILE: z.string(),
  /** Nodes in the order of preference, which replace those of the chain file of their chain: JSON list. Callers do not see them. */
  CHAIN_NODES: z.string().default('[]').transform(parseJson).pipe(z.array(Node)).meta(SECRET),
  /** Chain keys: 0x + 64 hex (`…_KEY` or `…_KEY_FILE`). */
  OPERATOR_KEY: chainKey,
  VERIFIER_KEY: chainKey,
  ARBITRATOR_KEY: chainKey,
  /** Maximum wait of claim and submit for their chain write before they answer 202. */
  CHAIN_WAIT_SECONDS: z.coerce.number().min(1).max(120).default(25),
  /** Age at which an unmined transaction raises an alarm, because it blocks its signer. */
  NONCE_STUCK_SECONDS: z.coerce.number().int().min(1).default(120),
  /** Multiple of its first price up to which the service raises the fees of a stuck transaction; 1 raises none. */
  FEE_RAISE_FACTOR: z.coerce.number().int().min(1).max(100).default(5),
  /** What these raises may add within 24 hours, base units of the native coin. */
  FEE_RAISE_DAILY_RAW: raw('1000000000000000000'),
  /** Lag of the records behind the chain that raises an alarm. */
  CHAIN_LAG_SECONDS: z.coerce.number().int().min(1).default(600),
  /** Largest JSON-RPC batch that a process sends. It shrinks by itself when the node refuses one. */
  CHAIN_BATCH_SIZE: z.coerce.number().int().min(1).max(1_000).default(100),
}

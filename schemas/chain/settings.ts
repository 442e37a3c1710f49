import { z } from 'zod'
import { chainKey } from '../common/setting-parsers.ts'

export const settings = {
  CHAIN_FILE: z.string(),
  /** Chain keys: 0x + 64 hex (`…_KEY` or `…_KEY_FILE`). */
  OPERATOR_KEY: chainKey,
  VERIFIER_KEY: chainKey,
  ARBITRATOR_KEY: chainKey,
  /** Maximum wait of claim and submit for their chain write before they answer 202. */
  CHAIN_WAIT_SECONDS: z.coerce.number().min(1).max(120).default(25),
  /** Age at which an unmined transaction raises an alarm, because it blocks its signer. */
  NONCE_STUCK_SECONDS: z.coerce.number().int().min(1).default(120),
  /** Lag of the records behind the chain that raises an alarm. */
  CHAIN_LAG_SECONDS: z.coerce.number().int().min(1).default(600),
  /** Largest JSON-RPC batch that a process sends. It shrinks by itself when the node refuses one. */
  CHAIN_BATCH_SIZE: z.coerce.number().int().min(1).max(1_000).default(100),
}

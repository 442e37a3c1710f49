import { z } from 'zod'
import { chainKey, raw } from '../common/setting-parsers.ts'

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
  /** Multiple of its first price up to which the service raises the fees of a stuck transaction; 1 raises none. */
  FEE_RAISE_FACTOR: z.coerce.number().int().min(1).max(100).default(5),
  /** What these raises may add within 24 hours, base units of the native coin. */
  FEE_RAISE_DAILY_RAW: raw('1000000000000000000'),
  /** Lag of the records behind the chain that raises an alarm. */
  CHAIN_LAG_SECONDS: z.coerce.number().int().min(1).default(600),
  /** Largest JSON-RPC batch that a process sends. It shrinks by itself when the node refuses one. */
  CHAIN_BATCH_SIZE: z.coerce.number().int().min(1).max(1_000).default(100),
}

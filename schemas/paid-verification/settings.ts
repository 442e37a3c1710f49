import { z } from 'zod'
import { chainKey, SECRET } from '../common/setting-parsers.ts'

export const settings = {
  /** Secret from which ids of runs follow and with which credentials of targets are sealed (`VERIFICATION_SECRET` or `…_FILE`). Without it no run is offered. */
  VERIFICATION_SECRET: z.string().min(32).optional().meta(SECRET),
  /** Key that takes the payments, on the payment chain: 0x + 64 hex (`SETTLER_KEY` or `SETTLER_KEY_FILE`). */
  SETTLER_KEY: chainKey,
  /** Chain file of the chain on which verification is paid. Without it no run is offered. */
  VERIFICATION_CHAIN_FILE: z.string().optional(),
  /** Address that payments for verification go to. Without it no run is offered. */
  VERIFICATION_PAY_TO: z
    .string()
    .regex(/^0x(?!0{40}$)[0-9a-fA-F]{40}$/, { error: 'must be an address: 0x and 40 hex digits, not all zero' })
    .toLowerCase()
    .pipe(z.templateLiteral(['0x', z.string()]))
    .optional(),
  /** Base address of a facilitator of x402, which then sends the payments in place of the settler. */
  VERIFICATION_FACILITATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Bearer token for the facilitator (`VERIFICATION_FACILITATOR_TOKEN` or `…_FILE`). */
  VERIFICATION_FACILITATOR_TOKEN: z.string().min(1).optional().meta(SECRET),
  /** Price of one run of any profile, base units of the asset of that chain. */
  VERIFICATION_PRICE_RAW: z
    .string()
    .regex(/^[1-9][0-9]{0,38}$/, { error: 'must be a positive integer in base units' })
    .default('5000000')
    .transform((digits) => BigInt(digits)),
  /** Port of the runner's health on HOST; 0 takes any free port, unset disables it. */
  RUNNER_HEALTH_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Path of bubblewrap on the runner's machine; unset looks in the folders of the system. */
  RUNNER_BUBBLEWRAP: z.string().optional(),
}

import { z } from 'zod'
import { MAX_ADDRESS_LENGTH } from './artefact.ts'

/** Limits of the profile `mcp-failure-semantics-v1`, version 1. */
export const MCP_FAILURE_LIMITS = {
  timeoutMs: 30_000,
  /** All answers of the target together. */
  outputBytes: 512 * 1_024,
} as const

/** Checks of the profile, in the order of its results. */
export const MCP_FAILURE_CHECKS = [
  'auth-boundary',
  'timeout-recovery',
  'tool-schema-stability',
  'destructive-action-safety',
  'error-shape-conformance',
] as const

/** Revisions of the Model Context Protocol that the profile speaks, the newest first: those that begin with `initialize`. */
export const MCP_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

export const mcpFailureTarget = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(MAX_ADDRESS_LENGTH)
    .describe('address of the server, https'),
  transport: z.literal('streamable_http'),
  auth: z
    .strictObject({
      scheme: z.literal('bearer'),
      credentialRef: z.string().min(1).max(200).describe('name by which the buyer knows the credential'),
    })
    .optional()
    .describe('says that the server demands the credential that the request carries in a header of its own'),
})

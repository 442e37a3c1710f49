import { verifyRecord } from '../../../examples/verify-record/verify-record.ts'
import type { Context } from '../context.ts'
import type { Report } from '../output/output.ts'

/** `verify-record`: runs the verifier of records in this process. It writes its own output. */
export const verify = async (context: Context): Promise<Report> => ({
  document: undefined,
  lines: [],
  exit: await verifyRecord(context.arguments),
})

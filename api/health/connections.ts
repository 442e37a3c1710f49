import { readRecords } from '../../activities/database/database.ts'
import { findCertificateProblem } from '../../activities/temporal/certificates.ts'
import type { EngineConnection } from '../../activities/temporal/connection.ts'
import { isCertificateError } from '../../schemas/database-url.ts'
import type { ApiDeps } from '../deps.ts'

type ReportDeps = Pick<ApiDeps, 'logger' | 'database'> & { engine: EngineConnection }

/** Logs one line for a server whose certificate is refused, or which refuses ours: requests see only that it does not answer. */
export const reportCertificates = async ({ logger, database, engine }: ReportDeps): Promise<void> => {
  const problem = await findCertificateProblem(engine)
  if (problem !== null) logger.error({ reason: problem }, 'no secure connection to the workflow engine')
  try {
    await readRecords(database)
  } catch (error) {
    if (isCertificateError(error)) logger.error({ reason: error.message }, 'no secure connection to the database')
  }
}

import { types } from 'node:util'
import { isCertificateError } from '../../schemas/database-url.ts'
import { ServiceError } from '../../schemas/errors.ts'

const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
// 08 connection, 53 resources, 57P shutdown, 57014 statement time-out, 55P03 lock time-out, 40001/40P01 conflict with another transaction.
const SQL_STATES = /^(08...|53...|57P0.|57014|55P03|40001|40P01)$/
// The driver's pool reports these without a code.
const POOL =
  /^timeout expired$|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after/

const isOutage = (error: Error & { code?: unknown }): boolean =>
  (typeof error.code === 'string' && (CODES.has(error.code) || SQL_STATES.test(error.code))) ||
  POOL.test(error.message) ||
  isCertificateError(error)

/**
 * 503 `state_store_unavailable` for an error of the driver that means an outage; null for others. Ignores causes: an unreachable chain is
 * another failure.
 */
export const databaseOutage = (thrown: unknown): ServiceError | null =>
  types.isNativeError(thrown) && isOutage(thrown) ? new ServiceError('state_store_unavailable', { cause: thrown }) : null

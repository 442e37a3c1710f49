import type { DestinationStream, Logger } from 'pino'
import { createServiceLogger } from '../activities/observation/logger.ts'

/** Structured log of the API. */
export const createLogger = (level: string, destination?: DestinationStream): Logger => createServiceLogger('api', level, destination)

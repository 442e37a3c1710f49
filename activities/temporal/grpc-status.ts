import { status } from '@grpc/grpc-js'
import { isGrpcServiceError } from '@temporalio/client'

/** Whether an error is an answer of the workflow engine with one of these statuses of gRPC. */
export const hasGrpcStatus = (error: unknown, ...names: (keyof typeof status)[]): boolean =>
  isGrpcServiceError(error) && names.some((name) => status[name] === Number(error.code))

import { subject } from '../subject.ts'
import * as operations from './operations.ts'

export const credit = subject({ name: 'credit', buildsOn: ['pool'], operations })

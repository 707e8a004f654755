/** Every detector, in the order in which they are asked. */
import type { AnyDetector } from '../detector.ts';
import { highCpu } from './high-cpu.ts';

export const detectors: readonly AnyDetector[] = [highCpu];

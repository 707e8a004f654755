/** What a command module is: it adds itself to the program, and answers with an exit code. */
import type { Command } from 'commander';
import type { App, GlobalFlags } from './app.ts';
import type { ExitCode } from './exit-code.ts';

/** Runs an action with the app that the global flags make; what it throws becomes a message and an exit code. */
export type Act = (command: Command, action: (app: App) => Promise<ExitCode> | ExitCode) => Promise<void>;

export type AddCommand = (program: Command, act: Act) => void;

export const globalFlags = (command: Command): GlobalFlags => command.optsWithGlobals<GlobalFlags>();

/** Which paces a survey is asked for. */
import type { Pace, SurveyRequest } from '../source.ts';

export const isDue = ({ request }: { readonly request: SurveyRequest }, pace: Pace): boolean =>
  request.paces.includes(pace);

import cors from 'cors';
import type { RequestHandler } from 'express';

/** Lets pages of these origins ask from a browser (`CORS_ORIGINS`); keys travel in a header, so that no cookie is involved. */
export const shareWithPages = (origins: readonly string[]): RequestHandler =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
  });

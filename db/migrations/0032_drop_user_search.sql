DROP INDEX CONCURRENTLY "users_search_name";--> statement-breakpoint
DROP INDEX CONCURRENTLY "users_search_email";
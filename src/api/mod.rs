//! The service's REST API: operations are values, the client sends them.

"""What LocalStack needs to run Lambda functions without Docker, and to have a stack's outputs when it is complete."""

"""What all of the laboratory uses: records, statistics, processes, progress, and errors."""
